/** Who may look into an account. It can be reached as an entity through other subgraphs' objects; its inside is still its own. */
import { AppError } from '#platform/errors.js'
import { requirePrincipal, sees, type RequestContext } from '#platform/requests/context.js'

/** @throws AppError 404 for the account of somebody else, 401 without a key */
export function ownOrAdministrator(accountId: string, context: RequestContext): void {
  if (!sees(requirePrincipal(context), accountId)) throw new AppError('not_found', 'There is no such account.')
}
