/** What GraphiQL begins with, a tab each: what people come to do, ready to run with their own values. */

export interface Example {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
}

export const EXAMPLES: readonly Example[] = [
  {
    query: `# The models, who answers now, and for how much.
query Models {
  models(limit: 10) {
    models {
      id
      availability
      cheapestPrice {
        providerId
        pricing {
          inputPerMillion
          outputPerMillion
        }
      }
    }
  }
}
`,
  },
  {
    query: `# One answer at once, and what it cost.
mutation Ask($input: ChatCompletionInput!) {
  createChatCompletion(input: $input) {
    ... on ChatCompletion {
      requestId
      choices {
        message {
          content
        }
      }
      usage {
        promptTokens
        completionTokens
      }
    }
    ... on ModelDeploying {
      message
      estimatedReadySeconds
    }
  }
}
`,
    variables: { input: { model: 'light', messages: [{ role: 'USER', content: 'What is a sluice?' }] } },
  },
  {
    query: `# The same answer as it is written.
subscription Stream($input: ChatCompletionInput!) {
  chatCompletion(input: $input) {
    ... on ChatCompletionChunk {
      choices {
        delta {
          content
        }
        finishReason
      }
    }
    ... on ModelDeploying {
      message
      estimatedReadySeconds
    }
  }
}
`,
    variables: { input: { model: 'light', messages: [{ role: 'USER', content: 'What is a sluice?' }] } },
  },
  {
    query: `# Every model as it is now, then every change: who answers, and what its GPU does.
subscription Availability {
  modelAvailability {
    id
    availability
    estimatedDeploySeconds
    session {
      phase
      gpuModel
      pricePerHour
    }
  }
}
`,
  },
]
