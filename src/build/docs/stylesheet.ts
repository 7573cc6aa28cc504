/** One stylesheet for /docs of the console's fonts, colours and sizes and of what is its own. */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** @param assets addresses of the files that the console's build has written, by which its fonts are known to browsers already */
export function stylesheet(root: string, assets: readonly string[]): string {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const fonts = read('src/console/fonts.css').replaceAll(/url\('([^']+)'\)/g, (_, path: string) => {
    const name = basename(path, '.woff2')
    const address = assets.find((one) => basename(one).startsWith(`${name}-`) && one.endsWith('.woff2'))
    if (address === undefined) throw new Error(`The console's build has no ${basename(path)}.`)
    return `url('${address}')`
  })
  // What Tailwind reads is plain declarations, but for the lines that take its own values away.
  const theme = read('src/console/theme.css')
    .replace('@theme {', ':root {')
    .replaceAll(/^ *--[\w-]+-\*: initial;\n/gm, '')
  return [fonts, theme, read('src/build/docs/docs.css')].join('\n')
}
