/** Lists what a person proves itself with beside the password. */
import type { Principal } from '../../port/principal';
import type { Store } from '../../port/store/store';
import type { FactorRecord } from './store/factor_records';

export interface ListedFactor extends FactorRecord {
  /** totp: how many recovery codes are left. */
  recoveryCodes?: number;
}

export class FactorList {
  constructor(private readonly deps: { store: Pick<Store, 'read'> }) {}

  /** Oldest first; none for a key. */
  async listOf({ tenantId, person }: Principal): Promise<ListedFactor[]> {
    const factors = person ? await this.deps.store.read.personFactors.listOfPerson(tenantId, person.id) : [];
    const recoveryCodes = factors.filter(({ kind }) => kind === 'recovery').length;
    const shown = factors.filter(({ kind, state }) => kind !== 'recovery' && state === 'active');
    return shown.map(factor => (factor.kind === 'totp' ? { ...factor, recoveryCodes } : factor));
  }
}
