/** Web push: questions, approvals and ends of runs reach a person whose page is closed, and a notification can decide an approval once. */
import { DEFAULT_PUSH_CONTACT } from '../../../config/settings/chat_settings';
import type { Feature } from '../../feature';
import { SECRET_PREFIX } from '../../service/auth/api_key_service';
import { PushActions } from './push_actions';
import { PushDispatcher } from './push_dispatcher';
import { PushKeyPair } from './push_keys';
import { PushOutbox } from './push_outbox';
import { PushService, type PushServices } from './push_service';
import { PushNoticeWriter } from './push_writer';
import { PushController, toWireSubscription } from './routes';
import { pushStore } from './store/push_store';

export const push: Feature = {
  name: 'push',
  routes: [PushController],
  store: pushStore,
  install({ settings, ports, ...core }) {
    const { store, clock, ids, nodeBus, observer, logger, redactor, createSecret, workspaces, pushSender: sender } = ports;
    const { auditLog, keyRing, approvalService, sessionAccess, questionAccess } = core;
    const { pushContact } = settings.web;
    const madeUpContact = pushContact === DEFAULT_PUSH_CONTACT ? pushContact : undefined;
    const workspacePathOf = (tenantId: string) => workspaces.workspaceOf(tenantId).workspace.root;
    const createToken = () => SECRET_PREFIX + createSecret();
    const keyPair = new PushKeyPair({ store, clock, sender, redactor });
    const outbox = new PushOutbox({ store, clock, ids, nodeBus, keyRing });
    const writer = new PushNoticeWriter({ store, clock, createToken, redactor, workspacePathOf, sessionAccess, questionAccess });
    const onError = logger.error;
    const dispatcher = new PushDispatcher({ store, clock, sender, outbox, keyPair, writer, keyRing, onError, observer });
    const pushService = new PushService({ store, clock, ids, sender, keyRing, keyPair, outbox, auditLog, logger, madeUpContact });
    const pushActions = new PushActions({ store, clock, keyRing, approvalService });
    return {
      services: { pushService, pushActions } satisfies PushServices,
      onRun: {
        asked: (tx, run, { question, isFirst }) => outbox.addQuestion(tx, run, question, isFirst),
        escalated: (tx, run, { question, to }) => outbox.addEscalation(tx, run, question, to),
        ending: (tx, run, { status }) => outbox.addEnd(tx, run, status),
        committed: () => outbox.flush(),
      },
      onLoginNotice: { add: (tx, notice) => outbox.addLoginNotice(tx, notice), committed: () => outbox.flush() },
      async *exportData(read, tenantId) {
        for (const device of await read.push.list(tenantId))
          yield { type: 'feature', name: 'pushSubscription', data: toWireSubscription(device) };
      },
      onLogoutEverywhere: (tenantId, keyHash) => pushService.endDevices(tenantId, keyHash),
      cleanUp: () => pushService.cleanUp(),
      serve: () => dispatcher.start(),
      endWork: () => dispatcher.stop(),
    };
  },
};
