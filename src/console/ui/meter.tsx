/** How much of something is used up. */
import { classes } from './classes.js'

interface MeterProps {
  readonly label: string
  /** From 0 to 1. */
  readonly share: number
}

const NEARLY_ALL = 0.9

export const Meter = ({ label, share }: MeterProps) => {
  const percent = Math.min(100, Math.round(share * 100))
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuetext={`${percent} %`}
      className="h-1 overflow-hidden rounded-full bg-hover"
    >
      <div className={classes('h-full', share >= NEARLY_ALL ? 'bg-warn' : 'bg-accent')} style={{ width: `${percent}%` }} />
    </div>
  )
}
