/** The password of the caller. */
import { Controller } from '@midwayjs/core';
import { bodyOf, loginClientOf } from '../../controller/http_request';
import { setDeviceCookie } from '../../controller/login_cookies';
import { RestController, routesWith } from '../../controller/route';
import { InjectService } from '../../inject_service';
import type { OwnPassword } from './password/own_password';
import { PasswordChange } from './schemas';
import type { PeopleServices } from './services';

const TAG = { name: 'people', description: { en: 'People with accounts, and their roles.', 'zh-CN': '拥有账户的人及其角色。' } };
const { Post } = routesWith({ scope: 'any', tag: TAG });

@Controller('/api/v1/me/password')
export class OwnPasswordController extends RestController {
  @InjectService<PeopleServices>() ownPassword!: OwnPassword;

  @Post('/', 'changePassword', {
    summary: { en: 'Change the password of the caller', 'zh-CN': '更改调用方的密码' },
    description: {
      en: 'For a person who is logged in and has a password; a key changes none. This login goes on; all other logins of the person end, with their sockets and event streams. A login may show 10 wrong current passwords in an hour, whatever others have guessed.',
      'zh-CN':
        '供已登录且有密码的人使用；密钥不能更改密码。当前登录继续有效；此人的其他登录及其 socket 和事件流会结束。每次登录一小时内可输错当前密码 10 次，与他人的猜测无关。',
    },
    body: PasswordChange,
    answers: { 204: { description: { en: 'The new password counts', 'zh-CN': '新密码已生效' } } },
    errors: ['unauthenticated', 'forbidden', 'rate_limited', 'store_unavailable'],
  })
  async change() {
    const device = await this.ownPassword.change(this.ctx.state.identity, bodyOf(this.ctx, PasswordChange), loginClientOf(this.ctx));
    setDeviceCookie(this.ctx, device);
    this.ctx.set('cache-control', 'no-store');
    this.ctx.status = 204;
  }
}
