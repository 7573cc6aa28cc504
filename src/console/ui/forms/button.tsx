/** A button, and a square one that shows an icon only. */
import type { ComponentProps } from 'react'
import { classes } from '../classes.js'

type Variant = 'primary' | 'secondary' | 'ghost' | 'danger'

const VARIANTS: Readonly<Record<Variant, string>> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border border-line bg-surface hover:bg-hover',
  ghost: 'text-muted hover:bg-hover hover:text-ink',
  danger: 'bg-bad-soft text-bad hover:brightness-95',
}

const BASE =
  'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium transition-colors disabled:pointer-events-none disabled:opacity-50'

interface ButtonProps extends ComponentProps<'button'> {
  readonly variant?: Variant
}

export const Button = ({ variant = 'secondary', type = 'button', className, ...rest }: ButtonProps) => (
  <button type={type} className={classes(BASE, 'h-8 px-3 text-sm', VARIANTS[variant], className)} {...rest} />
)

interface IconButtonProps extends ButtonProps {
  /** What it does, for those who do not see the icon. */
  readonly label: string
}

export const IconButton = ({ label, variant = 'ghost', type = 'button', className, ...rest }: IconButtonProps) => (
  <button
    type={type}
    aria-label={label}
    title={label}
    className={classes(BASE, 'size-8', VARIANTS[variant], className)}
    {...rest}
  />
)
