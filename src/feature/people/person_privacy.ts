/** Copies everything that the tenant keeps of a person, and erases it. */
import type { Principal } from '../../port/principal';
import type { Store } from '../../port/store/store';
import type { PrivateTexts } from '../../service/access/private_texts';
import { type AuditRecorder, byActor } from '../../service/audit/audit_log';
import type { ExportedItem } from '../../service/session/data_export';
import type { Erased, PersonData } from '../../service/session/person_data';
import { noPerson, type PeopleService } from './person/people_service';
import type { PersonRecord } from './store/people_records';
import { toWirePerson } from './wire_people';

export interface PersonPrivacyDeps {
  store: Store;
  people: Pick<PeopleService, 'updatePerson' | 'removePerson'>;
  personData: PersonData;
  privateTexts: Pick<PrivateTexts, 'viewerOf'>;
  auditLog: AuditRecorder;
}

export class PersonPrivacy {
  constructor(private readonly deps: PersonPrivacyDeps) {}

  /**
   * Resolves with everything of the caller, or, for an admin, with what the admin may see of somebody else. The export is in the audit log before the
   * first item. Rejects `not_found` for others.
   */
  async exportPerson(caller: Principal, id: string): Promise<{ handle: string; items: AsyncIterable<ExportedItem> }> {
    const { auditLog, personData, privateTexts } = this.deps;
    const isSelf = caller.person?.id === id;
    if (!isSelf && !caller.scopes.has('admin')) throw noPerson();
    const person = await this.readPerson(caller.tenantId, id);
    const { tenantId, handle } = person;
    await auditLog.record({ ...byActor(caller), action: 'person.export', target: handle });
    const texts = personData.readAll({ tenantId, handle }, isSelf ? undefined : privateTexts.viewerOf(caller));
    return { handle, items: withAccount(person, texts) };
  }

  /**
   * Deletes the sessions of the person and what the person wrote elsewhere, then the account. The audit log keeps what the person did, without the texts. Logins end
   * first, so that nothing new comes. After a crash in between, call it again. Rejects as `removePerson` does.
   */
  async erasePerson(caller: Principal, id: string): Promise<Erased> {
    const { auditLog, people, personData } = this.deps;
    const { tenantId, handle } = await people.updatePerson(caller, id, { disabled: true });
    const { sessions, others } = await personData.erase(caller, { tenantId, handle });
    await auditLog.record({ ...byActor(caller), action: 'person.erase', target: handle, details: { sessions, others } });
    await people.removePerson(caller, id);
    return { sessions, others };
  }

  private async readPerson(tenantId: string, id: string): Promise<PersonRecord> {
    const person = await this.deps.store.read.people.get(tenantId, id);
    if (!person || person.state === 'removed') throw noPerson();
    return person;
  }
}

async function* withAccount(person: PersonRecord, items: AsyncIterable<ExportedItem>): AsyncGenerator<ExportedItem> {
  yield { type: 'feature', name: 'person', data: toWirePerson(person) };
  yield* items;
}
