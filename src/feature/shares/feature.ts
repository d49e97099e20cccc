/** Share links: a read-only page of a chat for others. */
import type { Feature } from '../../feature';
import { SharedPageController, SharesController } from './routes';
import { ShareService, type ShareServices } from './share_service';
import { shareStore } from './store/share_store';

export const shares: Feature = {
  name: 'shares',
  routes: [SharesController, SharedPageController],
  store: shareStore,
  install({ settings, ports: { store, clock, ids, createSecret, redactor }, auditLog, sessionIds }) {
    const { publicShares: allowsPublic } = settings;
    const shareService = new ShareService({ store, clock, ids, createSecret, redactor, auditLog, allowsPublic });
    sessionIds.addFinder('shr', async (read, tenantId, id) => (await read.shares.get(tenantId, id))?.sessionId);
    return {
      services: { shareService } satisfies ShareServices,
      cleanUp: () => shareService.deleteExpired(),
    };
  },
};
