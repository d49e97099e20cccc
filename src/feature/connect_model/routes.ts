/** DOOR 2, model providers: people connect a model server while the gateway runs. */
import { Controller, Param } from '@midwayjs/core';
import { bodyOf, encodePage, localeOf, pageOf, principalOf, queryOf } from '../../controller/http_request';
import { pageOfList } from '../../controller/list_pages';
import { done, page, RestController, routesWith } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import { PAGE_QUERY } from '../../controller/schemas/common';
import { messageIn } from '../../errors';
import { InjectService } from '../../inject_service';
import { baseUrlOf } from '../../port/model_apis';
import type { ServiceSettings } from '../../service/service_settings';
import type { Bilingual } from '../../utils/bilingual';
import { closedObject } from '../../utils/schema_types';
import { decodeId } from '../../wire/decode';
import { toWireModel } from '../../wire/wire_models';
import type { ConnectModelServices, FoundProvider, ModelConnector, ServerCheck } from './model_connector';
import {
  ConnectModelRequest,
  ModelCheckRequest,
  ModelCheckResult,
  ModelFieldsRequest,
  ModelProvider,
  ServerCheckRequest,
  ServerCheckResult,
} from './schemas';

const PageQuery = closedObject(PAGE_QUERY);

const { Get, Post, Put } = routesWith({ scope: 'operator', tag: 'models' });

@Controller('/api/v1/model-providers')
export class ModelProvidersController extends RestController {
  @InjectService<ConnectModelServices>() modelConnector!: ModelConnector;
  @InjectService() serviceSettings!: ServiceSettings;

  @Get('/', 'listModelProviders', {
    summary: { en: 'List the providers of models, and the servers on this machine', 'zh-CN': '列出模型提供方，以及本机上的模型服务器' },
    query: PageQuery,
    answers: page(named('ModelProvider', ModelProvider)),
  })
  async list() {
    const providers = await this.modelConnector.listProviders();
    return encodePage(
      pageOfList(providers, pageOf(queryOf(this.ctx, PageQuery)), ({ id }) => id),
      toWireProvider,
    );
  }

  @Post('/check', 'checkModelServer', {
    summary: { en: 'Try an address and a key', 'zh-CN': '试用一个地址和密钥' },
    description: {
      en: "Asks the server for its list of models, which costs no tokens, or a model for one word. Stores nothing. A failure is an answer too, with the server's own words.",
      'zh-CN': '读取服务器的模型列表（不消耗 token），或向某个模型要一个词。不保存任何内容。失败也是一种回答，含服务器的原话。',
    },
    body: ServerCheckRequest,
    answers: done(named('ServerCheckResult', ServerCheckResult)),
  })
  async check() {
    const result = await this.modelConnector.check(bodyOf(this.ctx, ServerCheckRequest));
    this.ctx.status = 200;
    if (result.ok) return result;
    const message = messageIn(result.problem, localeOf(this.ctx, this.serviceSettings.defaultLocale));
    return { ...result, problem: { code: result.problem.code, message } };
  }

  @Post('/connect', 'connectModel', {
    summary: { en: 'Connect a model and make it the default', 'zh-CN': '连接一个模型并设为默认' },
    description: {
      en: 'Writes models.yaml, and the key into a file that only the user of the gateway can read. The next call of an agent uses it; the gateway needs no restart.',
      'zh-CN': '写入 models.yaml，并把密钥写入只有网关用户能读的文件。智能体的下一次调用就使用它，网关无需重启。',
    },
    body: ConnectModelRequest,
    answers: { 201: { description: { en: 'The model is connected', 'zh-CN': '模型已连接' }, json: 'Model' } },
    errors: ['forbidden', 'config_changed'],
  })
  async connect() {
    const connected = await this.modelConnector.connect(principalOf(this.ctx), bodyOf(this.ctx, ConnectModelRequest));
    this.ctx.status = 201;
    return toWireModel(connected);
  }
}

/** The models of models.yaml, as programs change them. */
@Controller('/api/v1/models')
export class ModelSetupController extends RestController {
  @InjectService<ConnectModelServices>() modelConnector!: ModelConnector;
  @InjectService() serviceSettings!: ServiceSettings;

  @Post('/check', 'checkModel', {
    summary: { en: 'Try an address and a key, and list the models of the server', 'zh-CN': '试用地址和密钥，并列出服务器的模型' },
    description: {
      en: 'Costs no tokens and stores nothing. A failure is an answer too, with `ok` false.',
      'zh-CN': '不消耗 token，不保存任何内容。失败也是一种回答，此时 `ok` 为 false。',
    },
    body: ModelCheckRequest,
    answers: done(named('ModelCheckResult', ModelCheckResult)),
  })
  async check() {
    const { baseUrl, api, key } = bodyOf(this.ctx, ModelCheckRequest);
    const address = baseUrlOf({ api, baseUrl });
    const result = await this.modelConnector.check({ provider: 'other', baseUrl: address, api, apiKey: key });
    const message = sentenceOf(result)[localeOf(this.ctx, this.serviceSettings.defaultLocale)];
    this.ctx.status = 200;
    return { ok: result.ok, models: result.models, message };
  }

  @Put('/:id', 'putModel', {
    summary: { en: 'Add a model to models.yaml, or replace its fields', 'zh-CN': '在 models.yaml 中加入模型，或替换其字段' },
    description: {
      en: 'An absent field goes. The key goes into a file that only the user of the gateway can read, and never comes back; without `key` the earlier one stays, unless the address is another one. Fields of the file that the body cannot have stay. The gateway needs no restart.',
      'zh-CN':
        '缺省的字段会被删除。密钥写入只有网关用户能读的文件，且不会再返回；不带 `key` 时保留原有密钥，但地址变更时必须重新提供。请求体不涉及的文件字段保持不变。网关无需重启。',
    },
    body: ModelFieldsRequest,
    answers: {
      200: { description: { en: 'The model is changed', 'zh-CN': '模型已修改' }, json: 'Model' },
      201: { description: { en: 'The model is new', 'zh-CN': '模型为新建' }, json: 'Model' },
    },
    errors: ['forbidden', 'config_changed'],
  })
  async put(@Param('id') id: string) {
    const { key: apiKey, ...fields } = bodyOf(this.ctx, ModelFieldsRequest);
    const { model, created } = await this.modelConnector.putModel(principalOf(this.ctx), decodeId(id), { ...fields, apiKey });
    this.ctx.status = created ? 201 : 200;
    return toWireModel(model);
  }
}

function sentenceOf(result: ServerCheck): Bilingual {
  if (!result.ok) return { en: result.problem.message, 'zh-CN': result.problem.messageZh };
  const { length } = result.models;
  if (length === 0) return { en: 'The server answers. It has no list of models.', 'zh-CN': '服务器可用，但没有模型列表。' };
  return {
    en: `The server answers. It has ${length === 1 ? '1 model' : `${length} models`}.`,
    'zh-CN': `服务器可用，共有 ${length} 个模型。`,
  };
}

const toWireProvider = ({ id, label, baseUrl, keyName, keyPage, models }: FoundProvider) => ({
  id,
  label,
  baseUrl,
  needsKey: keyName !== undefined && id !== 'other',
  keyPage,
  models,
});
