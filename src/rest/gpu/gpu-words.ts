/** Faults of the GPU routes in the words of the REST API: the domain's names of fields are the graph's. */
import { AppError, reworded } from '#platform/errors.js'

const REST_NAMES: Readonly<Record<string, string>> = {
  gpuModel: 'gpu_model',
  providerId: 'provider_id',
  modelId: 'model_id',
  dockerImage: 'docker_image',
  sshKey: 'ssh_key',
  fineTuned: 'fine_tuned',
  maxPricePerGpuHour: 'max_price_per_gpu_hour',
  minVram: 'min_vram',
  maxPrice: 'max_price',
  rentalId: 'rental_id',
}

const FIELDS = new RegExp(`\\b(?:${Object.keys(REST_NAMES).join('|')})\\b`, 'g')

/** What the graph answers; its faults say `gpu_model` for `gpuModel`. */
export const inRestWords = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw error instanceof AppError ? reworded(error, (text) => text.replaceAll(FIELDS, (name) => REST_NAMES[name]!)) : error
  })
