/** How much of something is used up. */
import { classes } from './classes.js'

interface MeterProps {
  readonly label: string
  /** From 0 to 1. */
  readonly share: number
  /** The share from which it warns. */
  readonly warnsFrom?: number
}

const NEARLY_ALL = 0.9

export const Meter = ({ label, share, warnsFrom = NEARLY_ALL }: MeterProps) => {
  const percent = Math.min(100, Math.round(share * 100))
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuetext={`${percent} %`}
      className="h-1 overflow-hidden rounded-full bg-hover"
    >
      <div
        className={classes('h-full', share >= 1 ? 'bg-bad' : share >= warnsFrom ? 'bg-warn' : 'bg-accent')}
        style={{ width: `${percent}%` }}
      />
    </div>
  )
}
