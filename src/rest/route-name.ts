/** Under which name figures count a request: as its route is declared, never its raw path, which is the caller's and without bound. */
import { formOf, type KnownRoute } from './path-hints.js'

export type RouteName = (url: string) => string

/** Of paths that are no route. */
const OTHER = 'other'
/** Longer ones are no route that anybody wants told apart. */
const MAX_PATH = 500

export function createRouteName(known: readonly KnownRoute[]): RouteName {
  const paths = [...new Set(known.map(({ path }) => path))]
  const plain = new Set(paths.filter((path) => !path.includes('{')))
  const forms = paths.filter((path) => !plain.has(path)).map((path) => ({ path, form: formOf(path) }))
  return (url) => {
    const query = url.indexOf('?')
    const asked = query === -1 ? url : url.slice(0, query)
    const path = asked.length > 1 && asked.endsWith('/') ? asked.slice(0, -1) : asked
    if (plain.has(path)) return path
    if (path.length > MAX_PATH) return OTHER
    return forms.find(({ form }) => form.test(path))?.path ?? OTHER
  }
}
