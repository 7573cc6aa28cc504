/** Holds the place of what is being read, in its size. */
import { classes } from '../classes.js'

export const Skeleton = ({ className }: { readonly className: string }) => (
  <span aria-hidden="true" className={classes('block animate-pulse rounded-sm bg-hover', className)} />
)
