/** The methods of the store that operators need, executed by a Runner: gauges, the audit log, usage, lists of all tenants, nodes. */
import type { OpsRunFilter, OpsScope } from '../../port/store/ops';
import type { PageRequest } from '../../port/store/page';
import type { StoreReader } from '../../port/store/store';
import type { Runner } from './query_template';
import type { Tables } from './tables';

export class SqlOpsReader {
  constructor(
    protected readonly tables: Tables,
    protected readonly runner: Runner,
  ) {}

  readGauges(now: number) {
    return this.tables.gauges().read(this.runner, now);
  }
  listAudit(...[filter, page]: Parameters<StoreReader['listAudit']>) {
    return this.tables.audit().list(this.runner, filter, page);
  }
  readAuditChain(position: number, limit: number) {
    return this.tables.audit().readChain(this.runner, position, limit);
  }
  auditEnds() {
    return this.tables.audit().ends(this.runner);
  }
  sumUsage(...[range, by]: Parameters<StoreReader['sumUsage']>) {
    return this.tables.usageSums().sum(this.runner, range, by);
  }
  listDayUsage(...[range]: Parameters<StoreReader['listDayUsage']>) {
    return this.tables.usage().list(this.runner, range);
  }
  listOpsRuns(scope: OpsScope, filter: OpsRunFilter, page: PageRequest) {
    return this.tables.opsRuns().list(this.runner, scope, filter, page);
  }
  opsSessions() {
    return this.tables.opsSessions(this.runner);
  }
  countOpenQuestions(scope: OpsScope, now: number) {
    return this.tables.ops().countOpenQuestions(this.runner, scope, now);
  }
  listOpenQuestionRows(scope: OpsScope, now: number, limit: number) {
    return this.tables.ops().listOpenQuestions(this.runner, scope, now, limit);
  }
  listSwitches() {
    return this.tables.ops().listSwitches(this.runner);
  }
  listNodes(since: number) {
    return this.tables.ops().listNodes(this.runner, since);
  }
  figuresWantedUntil(id: string) {
    return this.tables.ops().wantedUntil(this.runner, id);
  }
}
