/** Everything that a tenant keeps of one person: taken along, or erased. */
import type { Actor } from '../../port/principal';
import type { Viewer } from '../../port/store/session_access';
import type { SessionRecord } from '../../port/store/sessions';
import type { Store, StoreReader } from '../../port/store/store';
import type { SessionAccess } from '../access/session_access';
import { allOf } from '../all_pages';
import { type ExportedItem, type ExportSource, exportSession, type FeatureItem, readSources } from './data_export';
import type { SessionService } from './session_service';

export interface OnePerson {
  tenantId: string;
  handle: string;
}

/** What was erased. */
export interface Erased {
  sessions: number;
  /** Rows of features, such as jobs and prompts. */
  others: number;
}

export interface PersonDataDeps {
  store: Store;
  sessions: Pick<SessionService, 'deleteSession'>;
  sources: readonly ExportSource[];
  sessionAccess: Pick<SessionAccess, 'lookOf'>;
}

export class PersonData {
  constructor(private readonly deps: PersonDataDeps) {}

  /** Yields the sessions of the person that `viewer` sees, with all that belongs to them, then what the person wrote elsewhere. */
  async *readAll(person: OnePerson, viewer?: Viewer): AsyncGenerator<ExportedItem> {
    const read = this.deps.store.lists;
    for await (const session of this.sessionsOf(person, viewer)) yield* exportSession(read, session);
    yield* this.itemsOf(read, person, viewer);
  }

  /** Deletes all that `readAll` yields. After a crash in between, call it again. `by`: who asked, for the audit log. */
  async erase(by: Actor, person: OnePerson): Promise<Erased> {
    const { store, sessions } = this.deps;
    const { tenantId } = person;
    const ids: string[] = [];
    for await (const { id } of this.sessionsOf(person)) ids.push(id);
    // The first of a chat takes the others with it.
    for (const id of ids) if (await store.read.sessions.get(tenantId, id)) await sessions.deleteSession(by, id);
    const items: FeatureItem[] = [];
    for await (const item of this.itemsOf(store.lists, person)) items.push(item);
    await store.transaction({ tenant: tenantId }, async tx => {
      for (const { erase } of items) await erase?.(tx);
    });
    return { sessions: ids.length, others: items.length };
  }

  private async *sessionsOf({ tenantId, handle: owner }: OnePerson, viewer?: Viewer): AsyncGenerator<SessionRecord> {
    for (const originDoor of [undefined, 'openai', 'temporary'] as const)
      yield* allOf(page => this.deps.store.lists.sessions.list(tenantId, page, { withHidden: true, originDoor, owner, viewer }));
  }

  private async *itemsOf(read: StoreReader, { tenantId, handle }: OnePerson, viewer?: Viewer): AsyncGenerator<FeatureItem> {
    const { sources, sessionAccess } = this.deps;
    const sees = sessionAccess.lookOf(tenantId, viewer);
    for await (const item of readSources(read, tenantId, { sources, viewer, sees })) if (item.by === handle) yield item;
  }
}
