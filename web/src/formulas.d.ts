declare module "*.tex" {
  const formulas: Record<string, string>;
  export default formulas;
}
