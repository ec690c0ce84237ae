export { NotFoundPage as default } from "./error-404.tsx";
