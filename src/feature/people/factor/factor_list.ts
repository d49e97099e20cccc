/** Lists what a person proves itself with beside the password, and the person's sign-ins. */
import type { Store } from '../../../port/store/store';
import { type Identity, isLoginOfPerson } from '../../../service/auth/key_ring';
import type { FactorRecord } from '../store/factor_records';
import type { SignInRecord } from '../store/sign_in_records';

export interface ListedFactor extends FactorRecord {
  /** totp: how many recovery codes are left. */
  recoveryCodes?: number;
}

export class FactorList {
  constructor(private readonly deps: { store: Pick<Store, 'read'> }) {}

  /** Newest first; none for a key. */
  async listSignIns(identity: Identity): Promise<SignInRecord[]> {
    const { tenantId, person } = identity.principal;
    return person && isLoginOfPerson(identity) ? this.deps.store.read.signIns.listOfPerson(tenantId, person.id) : [];
  }

  /** Oldest first; none for a key. */
  async listOf(identity: Identity): Promise<ListedFactor[]> {
    const { tenantId, person } = identity.principal;
    const factors = person && isLoginOfPerson(identity) ? await this.deps.store.read.personFactors.listOfPerson(tenantId, person.id) : [];
    const recoveryCodes = factors.filter(({ kind }) => kind === 'recovery').length;
    const shown = factors.filter(({ kind, state }) => kind !== 'recovery' && state === 'active');
    return shown.map(factor => (factor.kind === 'totp' ? { ...factor, recoveryCodes } : factor));
  }
}
