/**
 * Seals the summaries that POST /v1/responses/compact gives to programs. A program keeps the sealed text and gives it back as input; it opens for the
 * same tenant only.
 */
import type { Sealer } from '../../../port/sealer';
import type { Locale } from '../../../port/store/sessions';
import { refusal } from '../../../wire/refusal';

export interface Summary {
  text: string;
  /** The language of the words around it. */
  locale: Locale;
}

/** The service, as controllers inject it. */
export interface ItemSealServices {
  compactionSeals: CompactionSeals;
}

export class CompactionSeals {
  constructor(private readonly deps: { sealer: Sealer }) {}

  sealSummary(tenantId: string, { text, locale }: Summary): string {
    return this.deps.sealer.seal(JSON.stringify({ text, locale }), purposeOf(tenantId));
  }

  /** Returns the function that opens what was sealed for a tenant. It throws `invalid_request` for any other text; `at`: JSON pointer of the text. */
  openerFor(tenantId: string): (sealed: string, at: string) => Summary {
    return (sealed, at) => {
      const opened = this.deps.sealer.open(sealed, purposeOf(tenantId));
      // A cast: only sealSummary makes texts that open.
      if (opened !== undefined) return JSON.parse(opened) as Summary;
      throw refusal(
        at,
        'was not made by POST /v1/responses/compact of this gateway, or was changed',
        '不是由此网关的 POST /v1/responses/compact 生成的，或者被改动过',
      );
    };
  }
}

const purposeOf = (tenantId: string): string => `compaction ${tenantId}`;
