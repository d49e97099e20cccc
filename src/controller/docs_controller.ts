/** The description of this door: the OpenAPI document and the page that shows it. */
import { Controller, Inject } from '@midwayjs/core';
import { Type } from '@sinclair/typebox';
import { InjectService } from '../inject_service';
import type { Locale } from '../port/store/sessions';
import type { ServiceSettings } from '../service/service_settings';
import { says } from '../utils/bilingual';
import { pageFile } from '../utils/page_file';
import { Optional } from '../utils/schema_types';
import { errorsPage } from './errors_page';
import { queryOf, writtenLocaleOf } from './http_request';
import { createOpenApi } from './openapi';
import { RestController, type RouteRow, routesWith } from './route';

const DocumentQuery = Type.Object({
  lang: Optional.OneOf(['en', 'zh-CN'], {
    default: 'en',
    ...says('language of the summaries and descriptions', '摘要和描述的语言'),
  }),
});

/** The document in each language that was asked for, as JSON. It does not change while the gateway runs. */
const documents = new Map<Locale, string>();

const { Get } = routesWith({ scope: 'open', tag: 'ops' });

@Controller('/')
export class DocsController extends RestController {
  @InjectService() serviceSettings!: ServiceSettings;
  /** Every route of the gateway, in the order of the document. */
  @Inject()
  routes!: readonly RouteRow[];

  @Get('/openapi.json', 'getOpenApiDocument', {
    summary: { en: 'Read this document', 'zh-CN': '读取本文档' },
    query: DocumentQuery,
    answers: { 200: { description: { en: 'The document, OpenAPI 3.1', 'zh-CN': '本文档，OpenAPI 3.1' } } },
    isDocument: true,
  })
  async openApi() {
    const { lang = 'en' } = queryOf(this.ctx, DocumentQuery);
    this.ctx.type = 'json';
    this.ctx.set('content-language', lang);
    const known = documents.get(lang);
    if (known !== undefined) return known;
    const document = JSON.stringify(createOpenApi(this.routes, { version: this.serviceSettings.version, locale: lang }));
    documents.set(lang, document);
    return document;
  }

  @Get('/docs/errors', 'openErrorsPage', {
    takesAnyQuery: true,
    summary: { en: 'Open the list of errors, to which the type of an error links', 'zh-CN': '打开错误列表，错误的 type 链接到这里' },
    answers: { 200: { description: { en: 'The page', 'zh-CN': '页面' }, bytes: ['text/html'] } },
    isDocument: true,
  })
  async errors() {
    this.ctx.type = 'html';
    return errorsPage(writtenLocaleOf(this.ctx, this.serviceSettings.defaultLocale), this.ctx.path);
  }

  @Get('/docs', 'openDocsPage', {
    takesAnyQuery: true,
    summary: { en: 'Open the page that shows this document', 'zh-CN': '打开展示本文档的页面' },
    answers: { 200: { description: { en: 'The page', 'zh-CN': '页面' }, bytes: ['text/html'] } },
    isDocument: true,
  })
  async docs() {
    this.ctx.type = 'html';
    return pageFile('docs', this.ctx.path);
  }
}
