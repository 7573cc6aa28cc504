/** Who has signed in. */
import { createContext, use } from 'react'
import type { ConsoleViewerQuery, Scope } from '../../../generated/console.js'

export interface Viewer {
  readonly account: NonNullable<ConsoleViewerQuery['viewer']>
  readonly key: NonNullable<ConsoleViewerQuery['viewerKey']>
  readonly signOut: () => void
}

export const ViewerContext = createContext<Viewer | null>(null)

export function useViewer(): Viewer {
  const viewer = use(ViewerContext)
  if (!viewer) throw new Error('Only pages behind the sign-in have a viewer.')
  return viewer
}

/** An administrator's key may do everything. */
export const maySee = (scopes: readonly Scope[], scope: Scope | undefined): boolean =>
  scope === undefined || scopes.includes(scope) || scopes.includes('ADMIN')
