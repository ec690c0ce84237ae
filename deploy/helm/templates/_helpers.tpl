{{- define "portal.labels" -}}
app.kubernetes.io/name: portal
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}
{{- define "portal.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
