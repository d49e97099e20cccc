/** Lists what a person proves itself with beside the password, and the person's sign-ins. */
import type { Principal } from '../../../port/principal';
import type { Store } from '../../../port/store/store';
import type { FactorRecord } from '../store/factor_records';
import type { SignInRecord } from '../store/sign_in_records';

export interface ListedFactor extends FactorRecord {
  /** totp: how many recovery codes are left. */
  recoveryCodes?: number;
}

export class FactorList {
  constructor(private readonly deps: { store: Pick<Store, 'read'> }) {}

  /** Newest first; none for a key. */
  async listSignIns({ tenantId, person }: Principal): Promise<SignInRecord[]> {
    return person ? this.deps.store.read.signIns.listOfPerson(tenantId, person.id) : [];
  }

  /** Oldest first; none for a key. */
  async listOf({ tenantId, person }: Principal): Promise<ListedFactor[]> {
    const factors = person ? await this.deps.store.read.personFactors.listOfPerson(tenantId, person.id) : [];
    const recoveryCodes = factors.filter(({ kind }) => kind === 'recovery').length;
    const shown = factors.filter(({ kind, state }) => kind !== 'recovery' && state === 'active');
    return shown.map(factor => (factor.kind === 'totp' ? { ...factor, recoveryCodes } : factor));
  }
}
