/** The mark of Sluice. */
export const Mark = ({ className }: { readonly className?: string }) => (
  <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
    <rect width="32" height="32" rx="8" className="fill-accent" />
    <path d="M8 11.5h16M8 16h10M8 20.5h13" className="stroke-on-accent" strokeWidth="2.75" strokeLinecap="round" />
  </svg>
)
