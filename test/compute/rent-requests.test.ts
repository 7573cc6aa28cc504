/** Requests for a rental that are refused, and in which words. */
import { describe, expect, it } from 'vitest'
import { as, openCompute, SSH_KEY } from './kit/compute-graph.js'

describe('a rent request', () => {
  it.each([
    [{ gpuModel: 'L4' }, 'modelId'],
    [{ gpuModel: 'L4', sshKey: 'ssh-rsa hello' }, 'sshKey'],
    [{ gpuModel: 'L4', sshKey: `${SSH_KEY}\ncommand="evil" ${SSH_KEY}` }, 'sshKey'],
    [{ gpuModel: 'L4', sshKey: `command="evil" ${SSH_KEY}` }, 'sshKey'],
    [{ gpuModel: 'L4', sshKey: SSH_KEY.replace('ssh-ed25519', 'ssh-rsa') }, 'sshKey'],
    [{ gpuModel: 'L4', dockerImage: 'busybox; rm -rf /' }, 'dockerImage'],
    [{ gpuModel: 'L4', dockerImage: '--privileged' }, 'dockerImage'],
    [{ gpuModel: 'L4', dockerImage: 'busybox', fineTuned: true }, 'fineTuned'],
    [{ gpuModel: 'L4', modelId: '../../etc/passwd' }, 'modelId'],
    [{ gpuModel: 'L4', modelId: 'cold-model', maxPricePerGpuHour: '0' }, 'maxPricePerGpuHour'],
    [{ gpuModel: 'L4; drop', modelId: 'cold-model' }, 'gpuModel'],
  ])('%j is refused naming %s', async (input, param) => {
    const { rent, ledger } = await openCompute()
    expect(await rent(input)).toMatchObject({ error: { code: 'invalid_request_error', status: 400, param } })
    expect(ledger.holds.size).toBe(0)
  })

  it.each([
    [{ gpuModel: 'H100', modelId: 'cold-model' }, 'offer_unavailable', 'gpuModel'],
    [{ gpuModel: 'L4', modelId: 'cold-model', region: 'mars' }, 'offer_unavailable', 'region'],
    [{ gpuModel: 'L4', modelId: 'cold-model', maxPricePerGpuHour: '0.5' }, 'offer_unavailable', 'maxPricePerGpuHour'],
    [{ gpuModel: 'L4', modelId: 'cold-model', spot: true, maxPricePerGpuHour: '0.5' }, 'offer_unavailable', 'maxPricePerGpuHour'],
    [{ gpuModel: 'A100', modelId: 'cold-model', spot: false }, 'offer_unavailable', 'spot'],
    [{ gpuModel: 'L4', modelId: 'unheard-of' }, 'model_not_found', 'modelId'],
  ])('%j gets %s', async (input, code, param) => {
    const { rent } = await openCompute()
    expect(await rent(input)).toMatchObject({ error: { code, param } })
  })

  const QUOTE = `query($input: RentGpuInput!) { gpuQuote(input: $input) {
    gpuCount pricePerHour hold estimatedReadySeconds offer { providerId spot }
  } }`

  it('is quoted as it is then rented, and nothing is held for a quote', async () => {
    const { ask, rent, ledger } = await openCompute()
    const input = { gpuModel: 'l4', dockerImage: 'busybox', spot: false }
    const { gpuQuote } = await ask(QUOTE, { input })
    expect(ledger.holds.size).toBe(0)
    expect(gpuQuote).toMatchObject({
      gpuCount: 1,
      pricePerHour: '0.90',
      hold: '0.15',
      offer: { providerId: 'gp91', spot: false },
    })
    const { rental } = (await rent(input)).rentGpu
    expect(rental).toMatchObject({ providerId: 'gp91', pricePerGpuHour: '0.90', hold: gpuQuote.hold })
  })

  it('is refused a quote in the words that refuse it a GPU, and without the scope gpu', async () => {
    const { ask, rent } = await openCompute()
    const input = { gpuModel: 'L4', sshKey: 'ssh-rsa hello' }
    expect(await ask(QUOTE, { input })).toEqual(await rent(input))
    expect(await ask(QUOTE, { input }, as('acc_a', {}, ['chat']))).toMatchObject({ error: { code: 'insufficient_scope' } })
  })

  it('needs the scope gpu', async () => {
    const { rent } = await openCompute()
    expect(await rent({ gpuModel: 'L4', modelId: 'cold-model' }, as('acc_a', {}, ['chat']))).toMatchObject({
      error: { code: 'insufficient_scope' },
    })
  })

  it('is refused with the live balance and the amount needed when it is not covered', async () => {
    const { rent, ask, cloud } = await openCompute({ balance: 100_000_000n })
    const { error } = await rent({ gpuModel: 'L4', modelId: 'cold-model' })
    expect(error).toMatchObject({ code: 'insufficient_credits', status: 402 })
    expect(error.message).toContain('$0.12')
    expect(error.message).toContain('balance is $0.10')
    expect((await ask('{ rentals { nodes { id } } }')).rentals.nodes).toEqual([])
    expect(cloud.calls.create).toBe(0)
  })

  it('respects the limits of the account', async () => {
    const input = { gpuModel: 'L4', modelId: 'cold-model' }
    const { rent } = await openCompute({ limits: { maxConcurrentSessions: 1 } })
    await rent(input)
    expect(await rent(input)).toMatchObject({ error: { code: 'conflict', status: 409 } })
    const other = await openCompute({ limits: { maxHourlySpend: 1_000_000_000n } })
    await other.rent(input)
    expect(await other.rent(input)).toMatchObject({ error: { code: 'insufficient_credits', status: 402 } })
  })
})
