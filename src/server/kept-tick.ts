/**
 * Node makes an object with computed keys for each `process.nextTick`. When a collection finds none alive, V8 forgets the shape,
 * takes the next one for a second shape, and makes all that follow in its slowest way: 1 us instead of 0.4, a dozen times in a
 * chat request. One that is kept alive keeps the shape.
 */
import { executionAsyncResource } from 'node:async_hooks'

process.nextTick(() => Object.defineProperty(process, Symbol('a tick'), { value: executionAsyncResource() }))
