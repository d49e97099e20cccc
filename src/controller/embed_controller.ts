/** DOOR 2, the chat for other pages: the frame, and a page that shows it at work. */
import { Controller } from '@midwayjs/core';
import { pageFile } from '../utils/page_file';
import { RestController, routesWith } from './route';

const { Get } = routesWith({ scope: 'open', tag: 'ops' });
const PAGE = { 200: { description: { en: 'The page', 'zh-CN': '页面' }, bytes: ['text/html'] } };

@Controller('/')
export class EmbedController extends RestController {
  @Get('/embed', 'openEmbeddedChat', {
    takesAnyQuery: true,
    summary: { en: 'Open the chat that other pages show in a frame', 'zh-CN': '打开供其他页面嵌入的对话' },
    description: {
      en: 'The script `/neta-chat.js` makes the frame. Only pages of an origin in NETA_ORIGINS, and pages of the gateway itself, may show it.',
      'zh-CN': '框架由脚本 `/neta-chat.js` 创建。只有 NETA_ORIGINS 中的源的页面和网关自己的页面可以展示它。',
    },
    answers: PAGE,
    isDocument: true,
  })
  async embed() {
    return this.page('embed');
  }

  @Get('/demo/widget', 'openEmbeddingDemo', {
    takesAnyQuery: true,
    summary: { en: 'Open a page with the embedded chat and the lines to copy', 'zh-CN': '打开带有嵌入对话和可复制代码的页面' },
    answers: PAGE,
    isDocument: true,
  })
  async demo() {
    return this.page('demo');
  }

  private page(name: 'demo' | 'embed'): string {
    this.ctx.type = 'html';
    return pageFile(name, this.ctx.path);
  }
}
