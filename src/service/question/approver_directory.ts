/** Knows who may decide approvals in a tenant, which keys belong to the same person, and by which names a question can ask each caller. */
import { namesOfCaller } from '../../port/approval_address';
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

  /** Returns the callers who may decide approvals now, one of each person, without those with these names. */
  approversOf(tenantId: string, without: readonly string[] = []): Principal[] {
    const able = this.keyRing.callersOf(tenantId).filter(({ scopes, keyName }) => scopes.has('approve') && !without.includes(keyName));
    // People come before their keys, and the last one of a person stays.
    const byPerson = new Map(able.reverse().map(caller => [personIn(caller), caller]));
    return [...byPerson].flatMap(([person, caller]) => (without.includes(person) ? [] : caller));
  }

  /** Returns the names under which questions can ask a caller; none for a caller that is not known any more. */
  namesOf(tenantId: string, keyName: string = LOCAL_KEY_NAME): string[] {
    const caller = this.keyRing.callersOf(tenantId).find(known => known.keyName === keyName);
    return caller ? namesOfCaller(caller) : [];
  }

  /** Returns the callers of the tenant whom the address names. */
  callersNamed(tenantId: string, name: string): Principal[] {
    return this.keyRing.callersOf(tenantId).filter(caller => namesOfCaller(caller).includes(name));
  }

  private ownerOf(tenantId: string, keyName: string): string {
    return this.keyRing.callersOf(tenantId).find(caller => caller.keyName === keyName)?.owner ?? keyName;
  }
}

const personIn = ({ owner, keyName }: Principal): string => owner ?? keyName;
