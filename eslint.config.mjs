// Only the public schema is checked here; the program's own code is oxlint's.
import graphql from '@graphql-eslint/eslint-plugin'

export default [
  {
    files: ['schema/api.graphql'],
    languageOptions: { parser: graphql.parser, parserOptions: { graphQLConfig: { schema: './schema/api.graphql' } } },
    plugins: { '@graphql-eslint': graphql },
    rules: {
      ...graphql.configs['flat/schema-recommended'].rules,
      ...graphql.configs['flat/schema-relay'].rules,
      '@graphql-eslint/require-description': [
        'error',
        { types: true, FieldDefinition: true, InputValueDefinition: true, EnumValueDefinition: true, DirectiveDefinition: true },
      ],
      '@graphql-eslint/require-nullable-result-in-root': 'error',
      // Ledger entries, prices and sums have no id that is global by itself.
      '@graphql-eslint/strict-id-in-types': 'off',
      // A list of strings is no list of nodes, and not every edge's node has a global id.
      '@graphql-eslint/relay-edge-types': ['error', { listTypeCanWrapOnlyEdgeType: false, shouldImplementNode: false }],
    },
  },
]
