package deploycheck

// This file: the Kubernetes manifests, rendered as `kustomize build` does.

import (
	"bytes"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"

	keda "github.com/kedacore/keda/v2/apis/keda/v1alpha1"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// kinds are the types that the manifests may hold.
var kinds = map[string]func() runtime.Object{
	"v1/Namespace":                           func() runtime.Object { return &corev1.Namespace{} },
	"v1/ServiceAccount":                      func() runtime.Object { return &corev1.ServiceAccount{} },
	"v1/ConfigMap":                           func() runtime.Object { return &corev1.ConfigMap{} },
	"v1/Secret":                              func() runtime.Object { return &corev1.Secret{} },
	"v1/Service":                             func() runtime.Object { return &corev1.Service{} },
	"apps/v1/Deployment":                     func() runtime.Object { return &appsv1.Deployment{} },
	"batch/v1/Job":                           func() runtime.Object { return &batchv1.Job{} },
	"policy/v1/PodDisruptionBudget":          func() runtime.Object { return &policyv1.PodDisruptionBudget{} },
	"autoscaling/v2/HorizontalPodAutoscaler": func() runtime.Object { return &autoscalingv2.HorizontalPodAutoscaler{} },
	"networking.k8s.io/v1/NetworkPolicy":     func() runtime.Object { return &networkingv1.NetworkPolicy{} },
	"networking.k8s.io/v1/Ingress":           func() runtime.Object { return &networkingv1.Ingress{} },
	"keda.sh/v1alpha1/ScaledObject":          func() runtime.Object { return &keda.ScaledObject{} },
}

// render builds a kustomization and decodes it strictly: an unknown field, a
// wrong type or a key that is there twice is an error.
func render(t *testing.T, dir string) (objects []runtime.Object) {
	t.Helper()
	made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir)
	require.NoError(t, err)
	for _, resource := range made.Resources() {
		text, err := resource.AsYAML()
		require.NoError(t, err)
		kind := resource.GetApiVersion() + "/" + resource.GetKind()
		require.Contains(t, kinds, kind)
		object := kinds[kind]()
		require.NoError(t, yaml.UnmarshalStrict(bytes.TrimSpace(text), object, yaml.DisallowUnknownFields), string(text))
		objects = append(objects, object)
	}
	return objects
}

func TestBaseAndOverlayDecode(t *testing.T) {
	t.Parallel()
	require.NotEmpty(t, render(t, "../../deploy/kubernetes/base"))
	require.NotEmpty(t, render(t, "../../deploy/kubernetes/example"))
}

// pods lists what runs, by name.
func pods(objects []runtime.Object) map[string]corev1.PodTemplateSpec {
	out := map[string]corev1.PodTemplateSpec{}
	for _, object := range objects {
		switch o := object.(type) {
		case *appsv1.Deployment:
			out[o.Name] = o.Spec.Template
		case *batchv1.Job:
			out[o.Name] = o.Spec.Template
		}
	}
	return out
}

// What the schema cannot say: every container is confined, limited and probed,
// and takes only what is there.
func TestPods(t *testing.T) {
	t.Parallel()
	objects := render(t, "../../deploy/kubernetes/example")
	there := map[string]bool{}
	for _, object := range objects {
		switch o := object.(type) {
		case *corev1.ConfigMap:
			there["ConfigMap "+o.Name] = true
		case *corev1.Secret:
			there["Secret "+o.Name] = true
		case *corev1.ServiceAccount:
			there["ServiceAccount "+o.Name] = true
		}
	}
	all := pods(objects)
	require.Len(t, all, 6)
	for name, pod := range all {
		require.True(t, *pod.Spec.SecurityContext.RunAsNonRoot, name)
		require.Equal(t, corev1.SeccompProfileTypeRuntimeDefault, pod.Spec.SecurityContext.SeccompProfile.Type, name)
		require.False(t, *pod.Spec.AutomountServiceAccountToken, name)
		require.True(t, there["ServiceAccount "+pod.Spec.ServiceAccountName], name)
		for _, volume := range pod.Spec.Volumes {
			if volume.ConfigMap != nil {
				require.True(t, there["ConfigMap "+volume.ConfigMap.Name], name)
			}
		}
		for _, c := range pod.Spec.Containers {
			require.True(t, *c.SecurityContext.ReadOnlyRootFilesystem, name)
			require.False(t, *c.SecurityContext.AllowPrivilegeEscalation, name)
			require.Equal(t, []corev1.Capability{"ALL"}, c.SecurityContext.Capabilities.Drop, name)
			require.NotZero(t, c.Resources.Limits.Memory().Value(), name)
			require.NotZero(t, c.Resources.Requests.Cpu().MilliValue(), name)
			require.Regexp(t, `^registry\.example/equipment-platform/[a-z]+:\d`, c.Image, "every image has a tag")
			for _, from := range c.EnvFrom {
				if from.ConfigMapRef != nil {
					require.True(t, there["ConfigMap "+from.ConfigMapRef.Name], name)
				}
				if from.SecretRef != nil {
					require.True(t, there["Secret "+from.SecretRef.Name], "%s: %s", name, from.SecretRef.Name)
				}
			}
			if name == "migrate" {
				continue
			}
			require.NotNil(t, c.LivenessProbe, name)
			ports := map[string]bool{}
			for _, port := range c.Ports {
				ports[port.Name] = true
			}
			for _, probe := range []*corev1.Probe{c.StartupProbe, c.LivenessProbe, c.ReadinessProbe} {
				require.True(t, probe == nil || ports[probe.HTTPGet.Port.StrVal], "%s: a probe asks a port that is not there", name)
				require.True(t, probe == nil || !ports["admin"] || probe.HTTPGet.Port.StrVal == "admin", "%s: a probe where callers can stand before it", name)
			}
			require.True(t, c.ReadinessProbe != nil || slices.Contains([]string{"events", "indexer"}, name), name)
		}
	}
}

// Services, budgets, scalers and policies point at pods that are there.
func TestReferences(t *testing.T) {
	t.Parallel()
	objects := render(t, "../../deploy/kubernetes/example")
	all := pods(objects)
	services := map[string]bool{}
	budgets := map[string]bool{}
	chosen := func(labels map[string]string) {
		t.Helper()
		require.Contains(t, all, labels["app"])
	}
	for _, object := range objects {
		switch o := object.(type) {
		case *corev1.Service:
			services[o.Name] = true
			chosen(o.Spec.Selector)
			for _, port := range o.Spec.Ports {
				require.Contains(t, fmt.Sprint(all[o.Spec.Selector["app"]].Spec.Containers[0].Ports), port.TargetPort.StrVal, o.Name)
			}
		case *policyv1.PodDisruptionBudget:
			chosen(o.Spec.Selector.MatchLabels)
			budgets[o.Spec.Selector.MatchLabels["app"]] = true
		case *autoscalingv2.HorizontalPodAutoscaler:
			require.Contains(t, all, o.Spec.ScaleTargetRef.Name)
			require.GreaterOrEqual(t, *o.Spec.MinReplicas, int32(2))
		case *keda.ScaledObject:
			require.Contains(t, all, o.Spec.ScaleTargetRef.Name)
			require.NotEmpty(t, o.Spec.Triggers)
		case *networkingv1.NetworkPolicy:
			for _, e := range o.Spec.PodSelector.MatchExpressions {
				for _, name := range e.Values {
					require.Contains(t, all, name, o.Name)
				}
			}
			if name := o.Spec.PodSelector.MatchLabels["app"]; name != "" {
				require.Contains(t, all, name, o.Name)
			}
		case *networkingv1.Ingress:
			for _, rule := range o.Spec.Rules {
				for _, path := range rule.HTTP.Paths {
					require.True(t, services[path.Backend.Service.Name], rule.Host)
				}
			}
		}
	}
	for name := range all {
		require.True(t, budgets[name] || name == "migrate", "%s has no disruption budget", name)
	}
}

// needs are the secrets of each program: what it does not need, it must not be able to
// lose.
var needs = map[string][]string{
	"migrate": {"DATABASE_URL"},
	"catalog": {"DATABASE_URL", "DATABASE_READ_URL", "EMBEDDINGS_API_KEY"},
	"events":  {"DATABASE_URL", "KAFKA_SASL_MECHANISM", "KAFKA_SASL_USERNAME", "KAFKA_SASL_PASSWORD"},
	"indexer": {"DATABASE_URL", "EMBEDDINGS_API_KEY"},
	"gateway": {"GATEWAY_STATE_KEY", "PROVIDER_CLIENT_ID", "PROVIDER_CLIENT_SECRET"},
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	objects := render(t, "../../deploy/kubernetes/example")
	secrets := map[string]*corev1.Secret{}
	for _, object := range objects {
		if s, ok := object.(*corev1.Secret); ok {
			secrets[s.Name] = s
		}
	}
	require.Len(t, secrets, len(needs))
	for name, pod := range pods(objects) {
		read := []string{}
		for _, c := range pod.Spec.Containers {
			for _, from := range c.EnvFrom {
				if from.SecretRef == nil {
					continue
				}
				require.Contains(t, secrets, from.SecretRef.Name, name)
				for variable := range secrets[from.SecretRef.Name].Data {
					read = append(read, variable)
				}
			}
		}
		if len(needs[name]) == 0 {
			require.Empty(t, read, name)
			continue
		}
		require.NotEmpty(t, read, name)
		require.Subset(t, needs[name], read, name)
	}
}

// Of the services only the API is outside, and their callers are known behind the
// ingress and the web server.
func TestOutside(t *testing.T) {
	t.Parallel()
	for _, object := range render(t, "../../deploy/kubernetes/example") {
		switch o := object.(type) {
		case *networkingv1.Ingress:
			for _, rule := range o.Spec.Rules {
				for _, path := range rule.HTTP.Paths {
					if path.Backend.Service.Name != "web" {
						require.Equal(t, "/api", path.Path, rule.Host)
					}
				}
			}
		case *corev1.ConfigMap:
			if o.Name == "settings" {
				_, _, err := net.ParseCIDR(o.Data["TRUSTED_PROXIES"])
				require.NoError(t, err)
			}
		}
	}
}

// Every variable that a program gets is one that it knows.
func TestVariables(t *testing.T) {
	t.Parallel()
	known := variables(t)
	for _, object := range render(t, "../../deploy/kubernetes/example") {
		names := []string{}
		switch o := object.(type) {
		case *corev1.ConfigMap:
			if o.Name == "settings" {
				for name := range o.Data {
					names = append(names, name)
				}
			}
		case *corev1.Secret:
			for name := range o.Data {
				names = append(names, name)
			}
		case *appsv1.Deployment:
			for _, c := range o.Spec.Template.Spec.Containers {
				for _, variable := range c.Env {
					names = append(names, variable.Name)
				}
			}
		}
		for _, name := range names {
			require.True(t, known[name] || strings.HasPrefix(name, "OTEL_"), name)
		}
	}
}
