/** How every edge asks the graph: one typed function for operations and one for subscriptions. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { RequestContext } from '#platform/requests/context.js'

/** The graph of this process, wherever its subgraphs run. */
export interface Graph {
  /** The selected data. @throws AppError the first fault of the answer. */
  execute<TData, TVariables extends object>(
    document: TypedDocumentNode<TData, TVariables>,
    variables: TVariables,
    context: RequestContext,
  ): Promise<TData>
  /**
   * The selected data of every event, once the caller was authorised and the source is open.
   *
   * @throws AppError what kept it from being opened; its iterator throws what an event, or the end of the source, has told of.
   */
  subscribe<TData, TVariables extends object>(
    document: TypedDocumentNode<TData, TVariables>,
    variables: TVariables,
    context: RequestContext,
  ): Promise<AsyncIterableIterator<TData>>
}

/** Root fields are nullable because a service may fail alone, and then the answer has its fault: without one nothing is missing. */
export type Whole<TData> = { [Field in keyof TData]: NonNullable<TData[Field]> }

/** The data of an answer whose root fields are always there. */
export function whole<TData extends object>(data: TData): Whole<TData> {
  const missing = Object.entries(data).find(([, value]) => value === null)
  if (missing) throw new Error(`The graph answered no ${missing[0]}, and no reason why.`)
  return data as Whole<TData>
}
