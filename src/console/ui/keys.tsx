/** Keys of the keyboard, pressed one after the other; with a plus between them together. */
export const Keys = ({ keys }: { readonly keys: string }) => (
  <span className="flex gap-1">
    {keys.split(' ').map((key) => (
      <kbd
        key={key}
        className="min-w-5 rounded-sm border border-line bg-sunken px-1 text-center font-sans text-2xs leading-4.5 text-muted"
      >
        {key}
      </kbd>
    ))}
  </span>
)
