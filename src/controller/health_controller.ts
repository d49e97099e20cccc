/** DOOR 2, health checks and facts of this gateway, for probes and pages. */
import { Controller, Inject } from '@midwayjs/core';
import type { Context } from '@midwayjs/koa';
import { AppError } from '../errors';
import { InjectService } from '../inject_service';
import { DEFAULT_TENANT, hasScope, type Principal } from '../port/principal';
import type { ReadinessService } from '../service/ops/readiness_service';
import type { AgentExecutor } from '../service/run/agent_executor';
import type { ServiceSettings } from '../service/service_settings';
import type { MetricsService } from '../service/telemetry/metrics_service';
import { done, Serve } from './route';

@Controller('/')
export class HealthController {
  @InjectService()
  agentExecutor!: AgentExecutor;
  @InjectService()
  readinessService!: ReadinessService;
  @InjectService()
  serviceSettings!: ServiceSettings;
  @InjectService()
  metricsService!: MetricsService;
  @Inject()
  ctx!: Context;

  /** Answers as long as the process lives. */
  @Serve({
    method: 'get',
    path: '/healthz',
    operationId: 'checkAlive',
    scope: 'open',
    tag: 'ops',
    takesAnyQuery: true,
    summary: { en: 'Check that the process lives', 'zh-CN': '检查进程是否存活' },
    answers: done('Alive'),
  })
  async healthz() {
    return { status: 'ok' };
  }

  /** Answers 200 when runs are accepted: the store can be written and the gateway is not stopping. */
  @Serve({
    method: 'get',
    path: '/readyz',
    operationId: 'checkReady',
    scope: 'open',
    tag: 'ops',
    takesAnyQuery: true,
    summary: { en: 'Check that runs are accepted', 'zh-CN': '检查是否接受运行' },
    description: { en: '503 while the gateway stops or its store cannot be written.', 'zh-CN': '网关正在停止或存储不可写时返回 503。' },
    answers: done('Ready'),
    errors: ['draining', 'store_unavailable'],
  })
  async readyz() {
    if (this.agentExecutor.draining) throw new AppError('draining', { retryAfterMs: 5_000 });
    return { status: 'ready', ...(await this.readinessService.check()) };
  }

  /** Metrics of this process, over all tenants. */
  @Serve({
    method: 'get',
    path: '/metrics',
    operationId: 'readMetrics',
    scope: 'ops:read',
    tag: 'ops',
    summary: { en: 'Read the metrics of this gateway for Prometheus', 'zh-CN': '读取供 Prometheus 使用的指标' },
    description: {
      en: 'Takes the token of NETA_METRICS_TOKEN too. The numbers cover all tenants, so a key of another tenant than `default` needs the scope admin as well.',
      'zh-CN': '也接受 NETA_METRICS_TOKEN 的令牌。数字包含所有租户，因此 `default` 以外租户的密钥还需要 admin 权限。',
    },
    answers: { 200: { description: { en: 'The text format of Prometheus', 'zh-CN': 'Prometheus 文本格式' }, bytes: ['text/plain'] } },
    takesMetricsToken: true,
  })
  async metrics() {
    const principal: Principal | undefined = this.ctx.state.principal;
    if (principal && principal.tenantId !== DEFAULT_TENANT && !hasScope(principal, 'admin')) {
      throw new AppError('forbidden', {
        message: 'The metrics cover all tenants: use a key of the tenant default, a key with the scope admin, or NETA_METRICS_TOKEN.',
        messageZh: '指标包含所有租户：请使用 default 租户的密钥、有 admin 权限的密钥或 NETA_METRICS_TOKEN。',
      });
    }
    const { contentType, text } = await this.metricsService.readText();
    this.ctx.set({ 'content-type': contentType, 'cache-control': 'no-store' });
    return text;
  }

  @Serve({
    method: 'get',
    path: '/api/v1/info',
    operationId: 'getInfo',
    scope: 'any',
    tag: 'ops',
    summary: { en: 'Read version, model and sandbox of this gateway', 'zh-CN': '读取网关的版本、模型和沙箱' },
    answers: done('Info'),
  })
  async info() {
    const { version, defaultLocale } = this.serviceSettings;
    return { name: 'neta-gateway', version, locale: defaultLocale, ...this.readinessService.describe() };
  }
}
