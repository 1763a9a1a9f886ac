declare module 'koa-compose' {
  type Next = () => Promise<unknown>
  type Layer<C> = (context: C, next: Next) => Promise<unknown>
  export default function compose<C>(layers: readonly Layer<C>[]): Layer<C>
}
