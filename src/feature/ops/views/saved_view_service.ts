/** Views of lists that the operators of a tenant save for each other. */
import { AppError } from '../../../errors';
import type { Clock } from '../../../port/clock';
import type { Principal } from '../../../port/principal';
import type { Store } from '../../../port/store/store';
import type { SavedViewRecord } from '../store/saved_views';

/** Views of one tenant at most. */
const MAX_VIEWS = 200;

export class SavedViewService {
  constructor(private readonly deps: { store: Store; clock: Clock }) {}

  listViews({ tenantId }: Principal, screen?: string): Promise<SavedViewRecord[]> {
    return this.deps.store.lists.savedViews.list(tenantId, screen);
  }

  /** Stores the view in the place of an earlier one of this name. Rejects `invalid_request` when the tenant has too many. */
  async saveView(
    { tenantId, keyName }: Principal,
    { screen, name, query }: Pick<SavedViewRecord, 'screen' | 'name' | 'query'>,
  ): Promise<SavedViewRecord> {
    const { store, clock } = this.deps;
    const view = { tenantId, screen, name, query, savedBy: keyName, savedAt: clock.now() };
    await store.transaction({ tenant: tenantId }, async tx => {
      const others = (await tx.savedViews.list(tenantId)).filter(each => each.screen !== screen || each.name !== name);
      if (others.length >= MAX_VIEWS) throw tooMany();
      await tx.savedViews.put(view);
    });
    return view;
  }

  /** Rejects `not_found`. */
  async deleteView({ tenantId }: Principal, { screen, name }: Pick<SavedViewRecord, 'screen' | 'name'>): Promise<void> {
    const isDeleted = await this.deps.store.transaction('none', tx => tx.savedViews.delete(tenantId, screen, name));
    if (!isDeleted) throw noView();
  }
}

const tooMany = () =>
  new AppError('invalid_request', {
    message: `A tenant has at most ${MAX_VIEWS} saved views. Delete one of them first.`,
    messageZh: `一个租户最多保存 ${MAX_VIEWS} 个视图。请先删除其中一个。`,
  });

const noView = () =>
  new AppError('not_found', { message: 'The screen has no saved view of this name.', messageZh: '该页面没有这个名称的已保存视图。' });
