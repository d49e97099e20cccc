/** What probes and pages ask before anything else. */
import { Controller, Get, Inject } from '@midwayjs/core';
import type { Context } from '@midwayjs/koa';
import { AppError } from '../errors';
import type { AgentExecutor } from '../service/agent_executor';
import type { ReadinessService } from '../service/readiness_service';
import type { ServiceSettings } from '../service/service_settings';
import { createOpenApi } from './openapi';

@Controller('/')
export class HealthController {
  @Inject()
  ctx!: Context;
  @Inject()
  agentExecutor!: AgentExecutor;
  @Inject()
  readinessService!: ReadinessService;
  @Inject()
  serviceSettings!: ServiceSettings;

  /** The process lives. */
  @Get('/healthz')
  async healthz() {
    return { status: 'ok' };
  }

  /** Runs are taken: the store can be written and nothing is being stopped. */
  @Get('/readyz')
  async readyz() {
    if (this.agentExecutor.draining) throw new AppError('draining', { retryAfterMs: 5_000 });
    return { status: 'ready', ...(await this.readinessService.check()) };
  }

  @Get('/api/v1/info')
  async info() {
    const { version, defaultLocale } = this.serviceSettings;
    return { name: 'neta-gateway', version, locale: defaultLocale, ...this.readinessService.describe() };
  }

  @Get('/openapi.json')
  async openApi() {
    return createOpenApi(this.serviceSettings.version);
  }

  /** The page that shows the document. */
  @Get('/docs')
  async docs() {
    this.ctx.redirect('/docs.html');
  }
}
