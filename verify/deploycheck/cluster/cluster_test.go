package cluster

// This file: what the API server says of the manifests.

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// namespace is the manifests' own.
const namespace = "equipment-platform"

// cluster is an API server and the kinds that it knows.
type cluster struct {
	config *rest.Config
	client *dynamic.DynamicClient
	mapper meta.RESTMapper
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{config: startServer(t)}
	var err error
	c.client, err = dynamic.NewForConfig(c.config)
	require.NoError(t, err)
	c.learn(t)
	return c
}

// learn asks which kinds there are.
func (c *cluster) learn(t *testing.T) {
	t.Helper()
	d, err := discovery.NewDiscoveryClientForConfig(c.config)
	require.NoError(t, err)
	groups, err := restmapper.GetAPIGroupResources(d)
	require.NoError(t, err)
	c.mapper = restmapper.NewDiscoveryRESTMapper(groups)
}

func (c *cluster) resource(t *testing.T, object *unstructured.Unstructured) dynamic.ResourceInterface {
	t.Helper()
	kind := object.GroupVersionKind()
	mapping, err := c.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	require.NoError(t, err)
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		return c.client.Resource(mapping.Resource).Namespace(namespace)
	}
	return c.client.Resource(mapping.Resource)
}

// apply is `kubectl apply --server-side --validate=strict`.
func (c *cluster) apply(t *testing.T, object *unstructured.Unstructured, dryRun ...string) (*unstructured.Unstructured, error) {
	t.Helper()
	raw, err := object.MarshalJSON()
	require.NoError(t, err)
	return c.resource(t, object).Patch(t.Context(), object.GetName(), types.ApplyPatchType, raw, metav1.PatchOptions{
		FieldManager: "verify", FieldValidation: metav1.FieldValidationStrict, DryRun: dryRun,
	})
}

// render builds a kustomization as `kustomize build` does, namespaces first.
func render(t *testing.T, dir string) (objects []*unstructured.Unstructured) {
	t.Helper()
	made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir)
	require.NoError(t, err)
	for _, resource := range made.Resources() {
		text, err := resource.AsYAML()
		require.NoError(t, err)
		object := read(t, text)
		if object.GetKind() == "Namespace" {
			objects = append([]*unstructured.Unstructured{object}, objects...)
			continue
		}
		objects = append(objects, object)
	}
	return objects
}

func read(t *testing.T, text []byte) *unstructured.Unstructured {
	t.Helper()
	object := &unstructured.Unstructured{}
	require.NoError(t, yaml.Unmarshal(text, &object.Object))
	return object
}

// pod makes the pod that the object's controller would make; nil: it makes none.
func pod(t *testing.T, object *unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	template, is, err := unstructured.NestedMap(object.Object, "spec", "template")
	require.NoError(t, err)
	if !is {
		return nil
	}
	made := &unstructured.Unstructured{Object: template}
	made.SetGroupVersionKind(schema.GroupVersionKind{Version: "v1", Kind: "Pod"})
	made.SetName(object.GetName())
	return made
}

// create is what a controller would do, without the pod being kept.
func (c *cluster) create(t *testing.T, pod *unstructured.Unstructured) error {
	t.Helper()
	_, err := c.resource(t, pod).Create(t.Context(), pod, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldValidation: metav1.FieldValidationStrict})
	return err
}

func TestManifests(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	objects := render(t, "../../../deploy/kubernetes/example")
	_, err := c.apply(t, objects[0]) // the namespace
	require.NoError(t, err)
	// the base has nothing that not every cluster knows
	for _, object := range render(t, "../../../deploy/kubernetes/base") {
		_, err := c.apply(t, object, metav1.DryRunAll)
		require.NoError(t, err, object.GetKind()+" "+object.GetName())
	}
	c.addKEDA(t)
	pods := 0
	versions := map[string]string{}
	for range 2 { // the second time nothing changes
		for _, object := range objects {
			id := object.GetKind() + " " + object.GetName()
			applied, err := c.apply(t, object)
			require.NoError(t, err, id)
			if before, is := versions[id]; is {
				require.Equal(t, before, applied.GetResourceVersion(), "%s is another one when it is applied again", id)
			}
			versions[id] = applied.GetResourceVersion()
		}
	}
	for _, object := range objects {
		if p := pod(t, object); p != nil {
			pods++
			require.NoError(t, c.create(t, p), object.GetName())
		}
	}
	require.Equal(t, 6, pods)
	t.Logf("%d objects, %d kinds of pods", len(objects), pods)
	c.refuses(t, objects)
}

// refuses shows that the server would have said no.
func (c *cluster) refuses(t *testing.T, objects []*unstructured.Unstructured) {
	t.Helper()
	tried := 0
	for _, object := range objects {
		switch p := pod(t, object); {
		case p != nil && object.GetName() == "catalog":
			tried++
			for field, value := range map[string]any{"hostNetwork": true, "hostPID": true} {
				root := p.DeepCopy()
				require.NoError(t, unstructured.SetNestedField(root.Object, value, "spec", field))
				err := c.create(t, root)
				require.True(t, apierrors.IsForbidden(err), "%v", err)
				require.ErrorContains(t, err, `violates PodSecurity "restricted`)
			}
			root := p.DeepCopy()
			unstructured.RemoveNestedField(root.Object, "spec", "securityContext")
			require.ErrorContains(t, c.create(t, root), "runAsNonRoot")
		case object.GetKind() == "NetworkPolicy" && object.GetName() == "data":
			tried++
			wrong := object.DeepCopy()
			require.NoError(t, unstructured.SetNestedField(wrong.Object, "x", "spec", "egres"))
			_, err := c.apply(t, wrong)
			require.ErrorContains(t, err, "egres")
		}
	}
	require.Equal(t, 2, tried)
}

// addKEDA installs the kind that scales the consumers.
func (c *cluster) addKEDA(t *testing.T) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(os.Getenv("KEDA_CRDS"), "keda.sh_scaledobjects.yaml"))
	require.NoError(t, err)
	definition := read(t, raw)
	_, err = c.apply(t, definition)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for established := false; !established; {
		now, err := c.resource(t, definition).Get(ctx, definition.GetName(), metav1.GetOptions{})
		require.NoError(t, err)
		conditions, _, _ := unstructured.NestedSlice(now.Object, "status", "conditions") // null at first
		for _, condition := range conditions {
			is, _ := condition.(map[string]any)
			established = established || is["type"] == "Established" && is["status"] == "True"
		}
		time.Sleep(50 * time.Millisecond)
	}
	c.learn(t)
}
