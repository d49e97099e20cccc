/** The metrics of this process, for Prometheus. */
import { Controller } from '@midwayjs/core';
import { RestController, routesWith } from '../../controller/route';
import { AppError } from '../../errors';
import { InjectService } from '../../inject_service';
import { DEFAULT_TENANT, type Principal } from '../../port/principal';
import type { MetricsCollector, TelemetryServices } from './metrics_collector';

/** NETA_METRICS_TOKEN opens this route. */
export const METRICS_ROUTE = 'readMetrics';

const { Get } = routesWith({ scope: 'ops:read', tag: 'ops' });

@Controller('/metrics')
export class MetricsController extends RestController {
  @InjectService<TelemetryServices>() metricsCollector!: MetricsCollector;

  /** Covers all tenants. */
  @Get('/', METRICS_ROUTE, {
    summary: { en: 'Read the metrics of this gateway for Prometheus', 'zh-CN': '读取供 Prometheus 使用的指标' },
    description: {
      en: 'Takes the token of NETA_METRICS_TOKEN too. The numbers cover all tenants, so keys of other tenants than `default` are refused.',
      'zh-CN': '也接受 NETA_METRICS_TOKEN 的令牌。数字包含所有租户，因此拒绝 `default` 以外租户的密钥。',
    },
    answers: { 200: { description: { en: 'The text format of Prometheus', 'zh-CN': 'Prometheus 文本格式' }, bytes: ['text/plain'] } },
  })
  async metrics() {
    const principal: Principal | undefined = this.ctx.state.principal;
    if (principal && principal.tenantId !== DEFAULT_TENANT) {
      throw new AppError('forbidden', {
        message: 'The metrics cover all tenants: use a key of the tenant default, or NETA_METRICS_TOKEN.',
        messageZh: '指标包含所有租户：请使用 default 租户的密钥或 NETA_METRICS_TOKEN。',
      });
    }
    const { contentType, text } = await this.metricsCollector.readText(midwayVersion());
    this.ctx.set({ 'content-type': contentType, 'cache-control': 'no-store' });
    return text;
  }
}

function midwayVersion(): string {
  const { version }: { version: string } = require('@midwayjs/core/package.json');
  return version;
}
