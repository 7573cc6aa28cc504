/** Faults of the GPU routes in the words of the REST API: the domain's names of fields are the graph's. */
import { AppError, reworded } from '#platform/errors.js'
import { camelName } from '../../edge/names.js'
import { offersQuery, rentalPath, rentBody } from './input.js'

const REST_NAMES = new Map(
  [offersQuery, rentBody, rentalPath].flatMap(({ shape }) => Object.keys(shape)).map((name) => [camelName(name), name]),
)

const FIELDS = new RegExp(`\\b(?:${[...REST_NAMES.keys()].join('|')})\\b`, 'g')

/** What the graph answers; its faults say `gpu_model` for `gpuModel`. */
export const inRestWords = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw error instanceof AppError ? reworded(error, (text) => text.replaceAll(FIELDS, (name) => REST_NAMES.get(name)!)) : error
  })
