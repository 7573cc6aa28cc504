/** Webhooks in the graph, for administrators. */
import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import { pageArgs, type Connection } from '#platform/paging/connection.js'
import { mapPage } from '#platform/paging/page.js'
import { requireScope, type RequestContext } from '#platform/requests/context.js'
import { DeliveryState, type Webhook, type WebhookDelivery } from './webhook.js'
import {
  CreateWebhookInput,
  CreateWebhookPayload,
  RemoveWebhookInput,
  RemoveWebhookPayload,
  ReplayWebhookInput,
  ReplayWebhookPayload,
  RotateWebhookSecretInput,
  RotateWebhookSecretPayload,
  SetWebhookEnabledInput,
  SetWebhookEnabledPayload,
  TestWebhookInput,
  TestWebhookPayload,
  WebhookConnection,
  WebhookDeliveryConnection,
  WebhookDeliveryType,
  WebhookType,
} from './webhook-type.js'
import type { Webhooks } from './webhooks.js'

const WebhooksArgs = pageArgs({ standard: 50, most: 500 })

@ArgsType()
class DeliveriesArgs extends pageArgs({ standard: 50, most: 500 }) {
  @Field(() => DeliveryState, { nullable: true, description: 'Only these; all when left out.' })
  state?: DeliveryState | null
}

/** Field by field: the secret must not travel on with the rest. */
const webhookType = ({ id, name, url, types, createdAt, offSince, offBecause, earlierSecretUntil }: Webhook): WebhookType =>
  Object.assign(new WebhookType(), { id, name, url, types, createdAt, offSince, offBecause, earlierSecretUntil })

/** Fields are named like the columns that they show; only declared fields are shown. */
const deliveryType = (delivery: WebhookDelivery): WebhookDeliveryType => Object.assign(new WebhookDeliveryType(), delivery)

@Resolver(() => WebhookType)
export class WebhookResolver {
  constructor(private readonly webhooks: Webhooks) {}

  @Query(() => WebhookConnection, { name: 'webhooks', description: 'Every webhook, oldest first. For administrators.' })
  async listWebhooks(
    @Args(() => WebhooksArgs) args: InstanceType<typeof WebhooksArgs>,
    @Ctx() context: RequestContext,
  ): Promise<Connection<WebhookType>> {
    requireScope(context, 'admin')
    const page = await this.webhooks.page(args.request())
    return new WebhookConnection(mapPage(page, webhookType), () => this.webhooks.count())
  }

  @Query(() => WebhookType, { nullable: true, description: 'One webhook. For administrators.' })
  async webhook(
    @Arg('id', () => ID, { description: 'Such as whk_...' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<WebhookType | null> {
    requireScope(context, 'admin')
    const webhook = await this.webhooks.find(id)
    return webhook && webhookType(webhook)
  }

  @FieldResolver(() => WebhookDeliveryConnection, { description: 'What was sent to it, and what waits, newest first.' })
  async deliveries(
    @Root() { id: webhookId }: WebhookType,
    @Args(() => DeliveriesArgs) args: DeliveriesArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<WebhookDeliveryType>> {
    requireScope(context, 'admin')
    const filter = { webhookId, state: args.state ?? null }
    const page = await this.webhooks.deliveries(filter, args.request())
    return new WebhookDeliveryConnection(mapPage(page, deliveryType), () => this.webhooks.countDeliveries(filter))
  }

  @Mutation(() => CreateWebhookPayload, {
    description:
      'Registers an address that is sent what happens from now on. Its secret appears in this answer only. For administrators.',
  })
  async createWebhook(
    @Arg('input', () => CreateWebhookInput, { description: 'The new webhook.' }) input: CreateWebhookInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateWebhookPayload> {
    requireScope(context, 'admin')
    const { url, name = null, types = null } = input
    const { webhook, secret } = await this.webhooks.add({ url, name, types })
    return { webhook: webhookType(webhook), secret }
  }

  @Mutation(() => RemoveWebhookPayload, { description: 'Removes a webhook with all that was sent to it. For administrators.' })
  async removeWebhook(
    @Arg('input', () => RemoveWebhookInput, { description: 'Which webhook.' }) { id }: RemoveWebhookInput,
    @Ctx() context: RequestContext,
  ): Promise<RemoveWebhookPayload> {
    requireScope(context, 'admin')
    return { id: (await this.webhooks.remove(id)).id }
  }

  @Mutation(() => SetWebhookEnabledPayload, { description: 'Turns a webhook on or off. For administrators.' })
  async setWebhookEnabled(
    @Arg('input', () => SetWebhookEnabledInput, { description: 'Which webhook.' }) input: SetWebhookEnabledInput,
    @Ctx() context: RequestContext,
  ): Promise<SetWebhookEnabledPayload> {
    requireScope(context, 'admin')
    return { webhook: webhookType(await this.webhooks.setOn(input.id, input.isEnabled)) }
  }

  @Mutation(() => RotateWebhookSecretPayload, {
    description:
      'Gives a webhook a new secret, which appears in this answer only; the old one signs too for a while. For administrators.',
  })
  async rotateWebhookSecret(
    @Arg('input', () => RotateWebhookSecretInput, { description: 'Which webhook, and for how long.' })
    { id, graceSeconds = null }: RotateWebhookSecretInput,
    @Ctx() context: RequestContext,
  ): Promise<RotateWebhookSecretPayload> {
    requireScope(context, 'admin')
    const { webhook, secret } = await this.webhooks.rotateSecret(id, graceSeconds)
    return { webhook: webhookType(webhook), secret }
  }

  @Mutation(() => TestWebhookPayload, {
    description:
      'Sends a webhook a signed message of the type "webhook.test" now, once, and waits for the answer. For administrators.',
  })
  async testWebhook(
    @Arg('input', () => TestWebhookInput, { description: 'Which webhook.' }) { id }: TestWebhookInput,
    @Ctx() context: RequestContext,
  ): Promise<TestWebhookPayload> {
    requireScope(context, 'admin')
    const { status: answered, failure } = await this.webhooks.test(id)
    return { isDelivered: failure === null, answered, failure }
  }

  @Mutation(() => ReplayWebhookPayload, {
    description: 'Sends dead letters again, or messages that were delivered, under the ids that they had. For administrators.',
  })
  async replayWebhook(
    @Arg('input', () => ReplayWebhookInput, { description: 'Which webhook and which messages.' }) input: ReplayWebhookInput,
    @Ctx() context: RequestContext,
  ): Promise<ReplayWebhookPayload> {
    requireScope(context, 'admin')
    return { replayed: await this.webhooks.replay(input.id, input.deliveryIds ?? null) }
  }
}
