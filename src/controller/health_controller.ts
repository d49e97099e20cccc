/** DOOR 2, health checks and facts of this gateway, for probes and pages. */
import { Controller } from '@midwayjs/core';
import { AppError } from '../errors';
import { InjectService } from '../inject_service';
import type { AgentExecutor } from '../service/run/agent_executor';
import type { ServiceSettings } from '../service/service_settings';
import type { ReadinessService } from '../service/status/readiness_service';
import { done, routesWith } from './route';

const { Get } = routesWith({ tag: 'ops' });

@Controller('/')
export class HealthController {
  @InjectService() agentExecutor!: AgentExecutor;
  @InjectService() readinessService!: ReadinessService;
  @InjectService() serviceSettings!: ServiceSettings;

  /** Answers as long as the process lives. */
  @Get('/healthz', 'checkAlive', {
    scope: 'open',
    takesAnyQuery: true,
    summary: { en: 'Check that the process lives', 'zh-CN': '检查进程是否存活' },
    answers: done('Alive'),
  })
  async healthz() {
    return { status: 'ok' };
  }

  /** Answers 200 when runs are accepted: the store can be written and the gateway is not stopping. */
  @Get('/readyz', 'checkReady', {
    scope: 'open',
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

  @Get('/api/v1/info', 'getInfo', {
    guests: 'anywhere',
    scope: 'any',
    summary: { en: 'Read version, model and sandbox of this gateway', 'zh-CN': '读取网关的版本、模型和沙箱' },
    answers: done('Info'),
  })
  async info() {
    const { version, defaultLocale, timeZone, publicShares, transcription } = this.serviceSettings;
    const facts = { name: 'neta-gateway', version, locale: defaultLocale, timeZone };
    return { ...facts, ...this.readinessService.describe(), publicShares, transcription };
  }
}
