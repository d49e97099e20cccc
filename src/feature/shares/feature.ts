/** Share links: a read-only page of a chat for others. */
import type { Feature } from '../../feature';
import { SharedPageController, SharesController } from './routes';
import { ShareService, type ShareServices } from './share_service';
import { shareStore } from './store/share_store';

export const shares: Feature = {
  name: 'shares',
  routes: [SharesController, SharedPageController],
  store: shareStore,
  install({ settings, ports: { store, clock, ids, createSecret, redactor }, auditLog }) {
    const { publicShares: allowsPublic } = settings;
    const shareService = new ShareService({ store, clock, ids, createSecret, redactor, auditLog, allowsPublic });
    return {
      services: { shareService } satisfies ShareServices,
      cleanUp: () => shareService.deleteExpired(),
    };
  },
};
