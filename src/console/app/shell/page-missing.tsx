/** In the place of a page that does not exist, or not for this key. */
import { Link } from '@tanstack/react-router'
import { Compass, Lock } from 'lucide-react'
import { EmptyState } from '../../ui/notices/empty-state.js'

export const PageMissing = () => (
  <EmptyState icon={Compass} title="There is no such page">
    <Link to="/" className="text-accent underline underline-offset-2">
      Go to the first page
    </Link>
  </EmptyState>
)

export const PageDenied = ({ scope }: { readonly scope: string }) => (
  <EmptyState icon={Lock} title="Your key may not see this page">
    It lacks the scope “{scope.toLowerCase()}”. Sign in with a key that has it.
  </EmptyState>
)
