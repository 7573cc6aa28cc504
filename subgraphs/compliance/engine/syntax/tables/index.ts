/** The lowering table of each grammar. */
import type { GrammarName } from '../grammars.js'
import type { LanguageTable } from '../lowering/shapes.js'
import { bash } from './bash.js'
import { c } from './c.js'
import { cpp } from './cpp.js'
import { csharp } from './csharp.js'
import { go } from './go.js'
import { java } from './java.js'
import { javascript } from './javascript.js'
import { kotlin } from './kotlin.js'
import { php } from './php.js'
import { python } from './python.js'
import { ruby } from './ruby.js'
import { rust } from './rust.js'
import { scala } from './scala.js'
import { swift } from './swift.js'

export const languageTables: Readonly<Record<GrammarName, LanguageTable>> = {
  javascript,
  typescript: javascript,
  tsx: javascript,
  python,
  java,
  go,
  csharp,
  php,
  ruby,
  swift,
  kotlin,
  rust,
  c,
  cpp,
  scala,
  bash,
}
