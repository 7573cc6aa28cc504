/** The variables of one operation, whose types are looked up once and not for each request. */
import {
  coerceInputValue,
  getVariableValues,
  isInputType,
  Kind,
  typeFromAST,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type TypeNode,
} from 'graphql'

/** Values that fit their types, or what is wrong with them. */
export type CoercedVariables = ReturnType<typeof getVariableValues>

export type VariableCoercion = (inputs: Readonly<Record<string, unknown>>) => CoercedVariables

/** What is not plainly given and right is left to graphql-js, whose words callers read. */
export function coercionOf(schema: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode): VariableCoercion {
  const typed = variableDefinitions.map(({ variable, type, defaultValue }) => ({
    name: variable.name.value,
    type: inputTypeOf(schema, type),
    mayBeLeftOut: type.kind !== Kind.NON_NULL_TYPE && defaultValue === undefined,
  }))
  return (inputs) => {
    const coerced: Record<string, unknown> = {}
    let isPlain = true
    const noteFault = () => (isPlain = false)
    for (const { name, type, mayBeLeftOut } of typed) {
      if (mayBeLeftOut && !Object.hasOwn(inputs, name)) continue
      const given = Object.hasOwn(inputs, name) ? inputs[name] : undefined
      if (type === undefined || given === undefined) isPlain = false
      else coerced[name] = coerceInputValue(given, type, noteFault)
    }
    return isPlain ? { coerced } : getVariableValues(schema, variableDefinitions, inputs)
  }
}

function inputTypeOf(schema: GraphQLSchema, node: TypeNode): GraphQLInputType | undefined {
  const type = typeFromAST(schema, node)
  return isInputType(type) ? type : undefined
}
