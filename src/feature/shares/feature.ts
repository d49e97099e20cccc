/** Share links: a page of a chat for others, who read it, or write in it as guests. */
import type { Feature } from '../../feature';
import { createGuestCallers } from './guest_callers';
import { SharedPageController, SharesController } from './routes';
import { ShareService, type ShareServices } from './share_service';
import { shareStore } from './store/share_store';

export const shares: Feature = {
  name: 'shares',
  routes: [SharesController, SharedPageController],
  store: shareStore,
  install({ settings, ports: { store, clock, ids, createSecret, redactor }, auditLog, keyRing: keys, sessionIds }) {
    const { publicShares: allowsPublic } = settings;
    const shareService = new ShareService({ store, clock, ids, createSecret, redactor, auditLog, keys, allowsPublic });
    sessionIds.addFinder('shr', async (read, tenantId, id) => (await read.shares.get(tenantId, id))?.sessionId);
    return {
      services: { shareService } satisfies ShareServices,
      callers: createGuestCallers({ store, clock, allowsPublic }),
      cleanUp: () => shareService.deleteExpired(),
    };
  },
};
