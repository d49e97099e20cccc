/** Builds the services of keys and logins, which share what is known about keys. */
import type { Clock, IdSource } from '../../port/clock';
import type { LogError, Logger } from '../../port/logger';
import type { NodeBus } from '../../port/node_bus';
import type { Store } from '../../port/store/store';
import type { AuditLog } from '../audit/audit_log';
import { ApiKeyService } from './api_key_service';
import { AuthService } from './auth_service';
import type { CallerSource } from './caller_source';
import { FailureLimit } from './failure_limit';
import { KeyRing } from './key_ring';
import { KeyUsage } from './key_usage';
import type { ConfiguredKey } from './known_key';
import { LiveCallers } from './live_callers';
import { LoginService, type LogoutHook } from './login_service';

export interface AuthServiceDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  createSecret: () => string;
  auditLog: AuditLog;
  nodeBus: Pick<NodeBus, 'publish' | 'subscribe' | 'onLoss'>;
  onError: LogError;
  logger: Pick<Logger, 'info'>;
  logoutHooks: readonly LogoutHook[];
  callerSources: readonly CallerSource[];
}

interface AuthSettings {
  apiKeys: readonly ConfiguredKey[];
  /** The gateway listens on this machine alone. */
  isLoopback: boolean;
}

/** Builds the services of keys and logins. */
export function createAuthServices(deps: AuthServiceDeps, { apiKeys: configured, isLoopback }: AuthSettings) {
  const { nodeBus, store, clock, ids, createSecret, auditLog, onError, logger, logoutHooks, callerSources } = deps;
  const keys = new KeyRing({ store, clock, nodeBus, configured, isLoopback, callerSources });
  const usage = new KeyUsage({ store, clock, onError });
  const failures = new FailureLimit({ clock });
  const auth = new AuthService({ keys, failures, usage, live: new LiveCallers(keys), auditLog, logger });
  return {
    keyRing: keys,
    keyUsage: usage,
    authService: auth,
    apiKeyService: new ApiKeyService({ store, clock, ids, createSecret, keys, usage, auditLog }),
    loginService: new LoginService({ store, clock, createSecret, keys, auth, auditLog, logoutHooks }),
  };
}
