import "@mantine/core/styles/Input.layer.css";
import "@mantine/core/styles/Pagination.layer.css";
