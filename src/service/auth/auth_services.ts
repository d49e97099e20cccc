/** Builds the services of keys and logins, which share what is known about keys. */
import type { Clock, IdSource } from '../../port/clock';
import type { LogError, Logger } from '../../port/logger';
import type { Store } from '../../port/store/store';
import type { AuditLog } from '../audit/audit_log';
import { ApiKeyService } from './api_key_service';
import { AuthService } from './auth_service';
import { FailureLimit } from './failure_limit';
import { type ConfiguredKey, KeyRing } from './key_ring';
import { KeyUsage } from './key_usage';
import { LiveCallers } from './live_callers';
import { LoginService } from './login_service';

export interface AuthServiceDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  createSecret: () => string;
  auditLog: AuditLog;
  onError: LogError;
  logger: Pick<Logger, 'info'>;
}

/** Builds the services of keys and logins. `isLoopback`: the gateway listens on this machine alone. */
export function createAuthServices(deps: AuthServiceDeps, settings: { apiKeys: readonly ConfiguredKey[]; isLoopback: boolean }) {
  const keyRing = new KeyRing({ ...deps, configured: settings.apiKeys, isLoopback: settings.isLoopback });
  const keyUsage = new KeyUsage(deps);
  const shared = { ...deps, keys: keyRing, usage: keyUsage };
  const authService = new AuthService({ ...shared, failures: new FailureLimit(deps), live: new LiveCallers(keyRing) });
  return {
    keyRing,
    keyUsage,
    authService,
    apiKeyService: new ApiKeyService(shared),
    loginService: new LoginService({ ...shared, auth: authService }),
  };
}
