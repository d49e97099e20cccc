/** `wait`: how long the person has to wait. */
interface LoginProblemProps {
  id: string;
  problem: string | undefined;
  wait: string | undefined;
}

/** Says why a login failed. The wait stands outside of the alert, because it changes each second and a screen reader would read it each time. */
export function LoginProblem({ id, problem, wait }: LoginProblemProps) {
  return (
    <div id={id}>
      <p class="form-error" role="alert" data-testid="login-problem">
        {problem}
      </p>
      {wait !== undefined && (
        <p class="form-error login-wait" data-testid="login-wait">
          {wait}
        </p>
      )}
    </div>
  );
}
