/**
 * Classes that are written with their package: `java.security.MessageDigest` is the class `MessageDigest`.
 *
 * Rules know classes of the Java platform and of .NET by their simple names, as imports do. Only well-known roots count, so that a
 * constant of an object (`config.URL`) stays a member.
 */
import type { Custom, Lowering } from '../lowering/shapes.js'

const javaClass =
  /^(?:java|javax|jakarta|org|com|net|io|android|androidx|kotlin|kotlinx|scala|groovy|sun|play|akka|slick|anorm|doobie|okhttp3|retrofit2)\.(?:[a-z_]\w*\.){0,10}([A-Z]\w*)$/

const dotnetNamespaces =
  'IO Net Http Headers Sockets Mail WebSockets Web UI WebControls HtmlControls Mvc Routing Hosting Security Cryptography X509Certificates Principal Claims Data SqlClient SQLite Sqlite OleDb Odbc OracleClient Common Diagnostics Text RegularExpressions Json Encodings Xml XPath Xsl Schema Serialization Runtime Remoting Formatters Binary Soap InteropServices Collections Generic Concurrent Linq Dynamic Threading Tasks Reflection Emit DirectoryServices Protocols AccountManagement Configuration Globalization ComponentModel DataAnnotations EntityFrameworkCore AspNetCore Authentication Authorization Extensions Compression CodeAnalysis CSharp Scripting CodeDom Compiler'.split(
    ' ',
  )
const dotnetClass = new RegExp(
  `^(?:global::)?(?:System|Microsoft|Newtonsoft)(?:\\.(?:${dotnetNamespaces.join('|')})){0,8}\\.([A-Z]\\w*)$`,
)
const isNamespace = new Set(dotnetNamespaces)

const longestName = 120

/** The simple name of the class that a dotted name with its package stands for. */
export function classIn(text: string): string | undefined {
  if (text.length > longestName) return undefined
  const java = javaClass.exec(text)?.[1]
  if (java !== undefined) return java
  const dotnet = dotnetClass.exec(text)?.[1]
  return dotnet === undefined || isNamespace.has(dotnet) ? undefined : dotnet
}

/** A member access that may be a class with its package. */
export const memberOrClass =
  (object: string, property: string): Custom =>
  (lowering: Lowering, node) => {
    const known = classIn(lowering.text(node))
    if (known !== undefined) return lowering.make.name(node, known)
    const from = lowering.first(node, object)
    const name = lowering.first(node, property)
    if (name === undefined) return lowering.make.opaque(node, [])
    // C#'s `this` is no named node.
    if (from === undefined && lowering.text(node).startsWith('this'))
      return lowering.make.member(node, lowering.make.name(node, 'this'), lowering.name(name).replace(/<[^]*$/, ''))
    if (from === undefined) return lowering.make.name(node, lowering.name(name))
    return lowering.make.member(node, lowering.lower(from), lowering.name(name).replace(/<[^]*$/, ''))
  }
