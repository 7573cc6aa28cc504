/** Who may look into an account. It can be reached as an entity through other subgraphs' objects; its inside is still its own. */
import { AppError } from '#platform/errors.js'
import { requirePrincipal, type RequestContext } from '#platform/requests/context.js'

/** @throws AppError 404 for the account of somebody else */
export function ownOrAdministrator(accountId: string, context: RequestContext): void {
  if (!sees(accountId, context)) throw new AppError('not_found', 'There is no such account.')
}

/** @throws AppError 401 without a key */
export function sees(accountId: string, context: RequestContext): boolean {
  const principal = requirePrincipal(context)
  return principal.accountId === accountId || principal.scopes.has('admin')
}
