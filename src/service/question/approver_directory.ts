/** Knows who may decide approvals in a tenant, and which keys belong to the same person. */
import { LOCAL_KEY_NAME, type Principal } from '../../port/principal';
import type { KeyRing } from '../auth/key_ring';

export class ApproverDirectory {
  constructor(private readonly keyRing: Pick<KeyRing, 'callersOf'>) {}

  /** Returns an id that is equal for a person and all keys of that person. `tenantId`: the caller's own tenant. */
  personOf(tenantId: string, keyName: string = LOCAL_KEY_NAME): string {
    return `${tenantId}/${this.ownerOf(tenantId, keyName)}`;
  }

  /** Returns these names of callers with all other names of the same people. */
  namesOfSamePeople(tenantId: string, names: readonly string[]): string[] {
    const people = new Set(names.map(name => this.ownerOf(tenantId, name)));
    const others = this.keyRing.callersOf(tenantId).filter(caller => people.has(personIn(caller)));
    return [...new Set([...names, ...people, ...others.map(({ keyName }) => keyName)])].sort();
  }

  /** Counts the people who may decide approvals now, without those with these names. */
  countApprovers(tenantId: string, without: readonly string[] = []): number {
    const able = this.keyRing.callersOf(tenantId).filter(({ scopes, keyName }) => scopes.has('approve') && !without.includes(keyName));
    return new Set(able.map(personIn).filter(person => !without.includes(person))).size;
  }

  private ownerOf(tenantId: string, keyName: string): string {
    return this.keyRing.callersOf(tenantId).find(caller => caller.keyName === keyName)?.owner ?? keyName;
  }
}

const personIn = ({ owner, keyName }: Principal): string => owner ?? keyName;
