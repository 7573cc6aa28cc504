/** Rules and the state of the scanner in the graph. */
import { Arg, Ctx, Query, Resolver } from 'type-graphql'
import { requireScope, type RequestContext } from '#platform/requests/context.js'
import type { Language } from '../engine/index.js'
import { LanguageEnum } from '../compliance-enums.js'
import type { ScannerState } from './scanner-state.js'
import { RuleList, ruleType, ScannerConfig, ScannerHealthType } from './rule-type.js'

@Resolver()
export class RuleResolver {
  constructor(private readonly state: ScannerState) {}

  @Query(() => RuleList, { description: 'The rules of the scanner.' })
  rules(
    @Arg('standard', () => String, {
      nullable: true,
      description: 'Only rules of this standard; upper and lower case are the same.',
    })
    standard: string | null,
    @Arg('language', () => LanguageEnum, { nullable: true, description: 'Only rules for this language.' })
    language: Language | null,
    @Ctx() context: RequestContext,
  ): RuleList {
    requireScope(context, 'scan')
    const rules = this.state.rules(standard ?? null, language ?? null).map(ruleType)
    return { rules, totalCount: rules.length }
  }

  @Query(() => ScannerConfig, { description: 'What the scanner checks and how much it takes.' })
  scannerConfig(@Ctx() context: RequestContext): ScannerConfig {
    requireScope(context, 'scan')
    return this.state.config()
  }

  @Query(() => ScannerHealthType, { description: 'Whether the scanner answers. Needs no key.' })
  scannerHealth(): Promise<ScannerHealthType> {
    return this.state.health()
  }
}
