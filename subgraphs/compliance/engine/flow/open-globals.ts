/** Variables of C that other files may assign: their first value says nothing of what functions meet. */
import type { Flow } from './state.js'

/** At the beginning of a line, without `static` and `const`. */
const DECLARED =
  /^(?:(?:unsigned|signed|volatile|long|short) ){0,3}(?:int|char|long|short|unsigned|double|float|bool|\w{1,40}_t)[ \t]+(\w{1,80})[ \t]*=[^=]/gm

export const isLanguageOfC = (language: string): boolean => language === 'c' || language === 'cpp'

export const isOfC = ({ book }: Flow): boolean => isLanguageOfC(book.language)

export const openGlobals = (flow: Flow): ReadonlySet<string> =>
  new Set(isOfC(flow) ? [...flow.text.matchAll(DECLARED)].map(([, name = '']) => name) : [])
