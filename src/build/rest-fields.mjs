/**
 * What REST says of objects and inputs of the graph, field by field: a plugin of the code generator. Each fragment of its documents
 * and each input that its configuration names becomes an object of zod schemas, named as REST names fields, with the types and
 * descriptions of the graph. What REST promises beyond the graph's types, it says itself (src/rest/<resource>/output.ts).
 */
import { getNamedType, getNullableType, isEnumType, isListType, isNonNullType, isScalarType, Kind } from 'graphql'

const SHAPES = 'shapes'
const INPUT = 'input'

/** Where a schema of ours says more than a type; callers write amounts in more ways than we do. */
const OUR_OWN = {
  Decimal: { output: [SHAPES, 'decimal'], input: [INPUT, 'decimalValue'] },
  DateTime: { output: [SHAPES, 'time'], input: [SHAPES, 'time'] },
}
const BUILT_IN = { ID: 'z.string()', String: 'z.string()', Int: 'z.int()', Float: 'z.number()', Boolean: 'z.boolean()' }
const MODULES = { [SHAPES]: '../edge/openapi/shapes.js', [INPUT]: '../edge/input.js' }

/** Called by the generator. `inputs`: names of input types, of its configuration in codegen.yml. */
export function plugin(schema, documents, { inputs = [] }) {
  const used = new Map()
  const own = (name, way) => {
    const [module, shape] = OUR_OWN[name][way]
    used.set(module, (used.get(module) ?? new Set()).add(shape))
    return shape
  }

  function typed(type, way) {
    if (isListType(type)) return `z.array(${typed(getNullableType(type.ofType), way)})`
    if (isEnumType(type)) {
      const words = type.getValues().map(({ name }) => quoted(name.toLowerCase()))
      return `z.enum([${words.join(', ')}]).meta({ id: ${quoted(type.name)} })`
    }
    if (isScalarType(type) && type.name in OUR_OWN) return own(type.name, way)
    if (isScalarType(type) && type.name in BUILT_IN) return BUILT_IN[type.name]
    throw new Error(`REST has no words for ${getNamedType(type).name}.`)
  }

  function fieldText({ name, type, description }, way) {
    const said = description ? `.meta({ description: ${quoted(description)} })` : ''
    const absence = isNonNullType(type) ? '' : way === 'input' ? '.nullish()' : '.nullable()'
    return `  ${snakeCase(name)}: ${typed(getNullableType(type), way)}${absence}${said},`
  }

  const objectText = (name, of, fields, way) =>
    [`/** ${of} */`, `export const ${uncapitalized(name)} = {`, ...fields.map((field) => fieldText(field, way)), '}'].join('\n')

  const fragments = documents.flatMap(({ document }) =>
    document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION),
  )
  const texts = [
    ...fragments.map(({ name, typeCondition, selectionSet }) => {
      const fields = schema.getType(typeCondition.name.value).getFields()
      const chosen = selectionSet.selections.map((selection) => fields[selection.name.value])
      return objectText(name.value, `As \`${name.value}\` asks for it.`, chosen, 'output')
    }),
    ...inputs.map((name) =>
      objectText(name, `As \`${name}\` takes it.`, Object.values(schema.getType(name).getFields()), 'input'),
    ),
  ]
  const imports = [...used].map(([module, shapes]) => `import { ${[...shapes].join(', ')} } from '${MODULES[module]}'`)
  return { prepend: ["import { z } from 'zod'", ...imports], content: texts.join('\n\n') }
}

const quoted = (text) => JSON.stringify(text)
const uncapitalized = (name) => name[0].toLowerCase() + name.slice(1)
const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
